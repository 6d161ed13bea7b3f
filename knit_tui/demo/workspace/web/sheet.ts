/** The contact sheet: a grid of tiles that load their thumbnails when they come near the screen. */

interface Photo {
  id: string;
  taken: string;
  source: "exif" | "name" | "mtime";
  group?: number | null;
}

interface Page {
  page: number;
  pages: number;
  photos: Photo[];
}

const PER_PAGE = 60;
const EDGE = window.devicePixelRatio > 1 ? 320 : 160;

/** Requests that are under way, by tile, so that a tile can give up its own. */
const pending = new WeakMap<Element, AbortController>();

async function fetchPage(page: number): Promise<Page> {
  const answer = await fetch(`/api/photos?page=${page}&per_page=${PER_PAGE}`);
  if (!answer.ok) {
    const { error } = await answer.json();
    throw new Error(error ?? answer.statusText);
  }
  return answer.json();
}

async function loadThumbnail(tile: HTMLElement): Promise<void> {
  const controller = new AbortController();
  pending.set(tile, controller);
  try {
    const id = encodeURIComponent(tile.dataset.id ?? "");
    const answer = await fetch(`/thumb/${id}?edge=${EDGE}`, { signal: controller.signal });
    const picture = tile.querySelector("img");
    if (answer.ok && picture) {
      picture.src = URL.createObjectURL(await answer.blob());
      tile.classList.add("loaded");
    }
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  } finally {
    pending.delete(tile);
  }
}

/** Two screens ahead: fast enough for the wheel, few enough for a slow disk. */
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const tile = target as HTMLElement;
      if (isIntersecting && !tile.classList.contains("loaded")) {
        void loadThumbnail(tile);
      } else if (!isIntersecting) {
        pending.get(tile)?.abort();
      }
    }
  },
  { rootMargin: "200% 0px" },
);

function tileFor(photo: Photo): HTMLElement {
  const tile = document.createElement("figure");
  tile.dataset.id = photo.id;
  tile.classList.toggle("uncertain", photo.source === "mtime");
  const picture = document.createElement("img");
  picture.alt = photo.id;
  const caption = document.createElement("figcaption");
  caption.textContent = new Date(photo.taken).toLocaleString();
  tile.append(picture, caption);
  observer.observe(tile);
  return tile;
}

export async function show(grid: HTMLElement): Promise<void> {
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await fetchPage(page);
    pages = answer.pages;
    grid.append(...answer.photos.map(tileFor));
  }
}

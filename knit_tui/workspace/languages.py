"""File names and endings of every language Pygments 2.21.0 knows, and its alias of each.

Written by ``python -m tests.make_languages``, so that nothing imports Pygments to tell a language.
"""

from __future__ import annotations

PYGMENTS = "2.21.0"


def _pairs(text: str) -> dict[str, str]:
    words = iter(text.split())
    return dict(zip(words, words, strict=True))


NAMES = _pairs(
    """
    .Renviron splus .Rhistory splus .Rprofile splus .SRCINFO srcinfo .babelrc json .bashrc bash
    .clang-format yaml .clang-tidy yaml .clangd yaml .coveragerc ini .csl kql .dockerignore text
    .editorconfig ini .emacs emacs-lisp .eslintignore text .eslintrc json .exrc vim .flake8 ini .gemrc
    yaml .gitattributes text .gitconfig ini .gitignore text .gitkeep text .gitmodules ini .gvimrc vim
    .helmignore text .htaccess apacheconf .jshintrc json .justfile make .keep text .kshrc bash .ldaprc
    ldapconf .mailmap text .node-version text .npmignore text .nvmrc text .nycrc json .prettierignore text
    .prettierrc json .profile bash .pylintrc ini .python-version text .ruby-version text .stylelintrc json
    .swcrc json .tool-versions text .vimrc vim .wgetrc ini .xinitrc bash .xprofile bash .yamllint yaml
    .zlogin bash .zlogout bash .zprofile bash .zshenv bash .zshrc bash Android.bp androidbp Appfile ruby
    BUCK python BUILD python BUILD.bazel python Berksfile ruby Brewfile ruby CMakeLists.txt cmake
    CODEOWNERS text Caddyfile caddyfile Cakefile coffeescript Capfile ruby Containerfile docker Dockerfile
    docker Fastfile ruby GNUmakefile make Gemfile ruby Guardfile ruby Jenkinsfile groovy Justfile make
    MANIFEST.in text MODULE.bazel python Makefile make Makefile.am make Makefile.in make PKGBUILD bash
    Pipfile toml Pipfile.lock json Podfile ruby Procfile procfile Rakefile ruby SConscript python
    SConstruct python Singularity singularity Snakefile python Tiltfile python Vagrantfile ruby WORKSPACE
    python WORKSPACE.bazel python _exrc vim _gvimrc vim _vimrc vim apache.conf apacheconf apache2.conf
    apacheconf autodelegate myghty autohandler mason bashrc bash constraints.txt text control debcontrol
    dev-requirements.txt text dhandler mason go.mod text go.work text gvimrc vim id_dsa asc id_ecdsa asc
    id_ecdsa_sk asc id_ed25519 asc id_ed25519_sk asc id_rsa asc justfile make kshrc bash ldap.conf
    ldapconf ldaprc ldapconf lighttpd.conf lighttpd makefile make meson.build meson meson.options meson
    meson_options.txt meson nginx.conf nginx pacman.conf pacmanconf poetry.lock toml py.typed text
    requirements-dev.txt text requirements-test.txt text requirements.txt text robots.txt text
    sources.list debsources squid.conf squidconf standard-modules.in kconfig termcap termcap termcap.src
    termcap terminfo terminfo terminfo.src terminfo test-requirements.txt text vimrc vim wscript python
    xorg.conf xorg.conf zshrc bash
    """
)
"""Whole file names."""

ENDINGS = _pairs(
    """
    .1p groff .3pm groff .6pl perl6 .6pm perl6 .ABAP abap .ASM nasm .BAS qbasic .C cpp .CBL cobolfree .COB
    cobol .CPP cpp .CPY cobol .F fortranfixed .F03 fortran .F90 fortran .G antlr-java .H cpp .ICON icon
    .MIPS mips .P cplint .PRG foxpro .R splus .Rd rd .Rout rconsole .S gas .SAS sas .VBS vbscript .abap
    abap .abnf abnf .ada ada .adb ada .adl adl .adlf adl .adls adl .adlx adl .ado stata .ads ada .aes
    sophia .agda agda .aheui aheui .ahk autohotkey .ahkl autohotkey .aj aspectj .alg portugol .als alloy
    .ans ansys .apl apl .aplc apl .aplf apl .apli apl .apln apl .aplo apl .applescript applescript .arexx
    rexx .art arturo .arw arrow .as actionscript3 .asax aspx-cs .asc asc .ascx aspx-cs .ashx aspx-cs .asm
    nasm .asmx aspx-cs .asn1 asn1 .aspx aspx-cs .astro html .asy asymptote .at ambienttalk .atom xml .au3
    autoit .aug augeas .automount systemd .aux tex .avsc json .awk awk .axd aspx-cs .b brainfuck .bare
    bare .bas qbasic .bash bash .bat batch .bats bash .bazel python .bb blitzbasic .bbappend bitbake .bbc
    bbcbasic .bbclass bitbake .bc bc .be berry .befunge befunge .bf brainfuck .bib bibtex .blp blueprint
    .bmx blitzmax .bnf bnf .boa boa .boo boo .bpl boogie .bqn bqn .bro zeek .bst bst .bug bugs .bzl python
    .c c .c++ cpp .c++-objdump cpp-objdump .c-objdump c-objdump .cadl cadl .camkes camkes .capnp capnp
    .carbon carbon .cbl cobolfree .cc cpp .cddl cddl .cdf mathematica .cdl capdl .cel cel .ceylon ceylon
    .cf cfengine3 .cfc cfc .cfg ini .cfm cfm .cfml cfm .chai chaiscript .chpl chapel .ci charmci .cirru
    cirru .cjs javascript .cl common-lisp .clay clay .clj clojure .cljc clojure .cljs clojurescript .cls
    openedge .cmake cmake .cmd batch .cml comal .cnf ini .cob cobol .code-workspace json .coffee
    coffeescript .comal comal .comp glsl .conf ini .containerfile docker .cp cpp .cpl cplint .cpp cpp
    .cpp-objdump cpp-objdump .cppm cpp .cps componentpascal .cpsa cpsa .cpy cobol .cr cr .crmsh crmsh
    .croc croc .cry cryptol .cs csharp .csd csound-document .csh tcsh .cshtml html .cson coffeescript
    .csproj xml .css css .css.in css+mozpreproc .css.j2 css+django .css.jinja2 css+django .cssul4 css+ul4
    .cts typescript .cu cuda .cuh cuda .cw redcode .cxx cpp .cxx-objdump cpp-objdump .cyp cypher .cypher
    cypher .d d .d-objdump d-objdump .darcspatch dpatch .dart dart .dasm dasm16 .dasm16 dasm16 .dax dax
    .dcl clean .decls blitzbasic .def modula2 .desktop desktop .device systemd .dg dg .di d .diff diff
    .dmesg kmsg .do stata .docker docker .dockerfile docker .dot graphviz .dpatch dpatch .dpr delphi .dtd
    dtd .dts devicetree .dtsi devicetree .duby ruby .duel duel .dyalog apl .dyl dylan .dylan dylan
    .dylan-console dylan-console .e eiffel .ebnf ebnf .ebuild bash .ec ec .ecl ecl .eclass bash .edp
    freefem .eex elixir .eg earl-grey .eh ec .ejs html .el emacs-lisp .el.in emacs-lisp .elm elm .elpi
    elpi .eml email .eps postscript .erb erb .erl erlang .erl-sh erl .es erlang .escript erlang .evoque
    evoque .ex elixir .exec execline .exheres-0 bash .exlib bash .explain postgres-explain .exs elixir
    .exw phix .ezt easytrieve .f fortranfixed .f03 fortran .f08 fortran .f77 fortran .f90 fortran .f95
    fortran .factor factor .fan fan .fancypack fancy .fc func .feature gherkin .fhtml velocity .fif fift
    .fish fish .flo floscript .flx felix .flxh felix .fnl fennel .fnlm fennel .for fortran .frag glsl .frt
    forth .fs fsharp .fsi fsharp .fsproj xml .fst fstar .fsti fstar .fsx fsharp .fun sml .func func .fut
    futhark .fy fancy .g antlr-java .gap gap .gcode gcode .gd gdscript .gdc gooddata-cl .gemspec ruby .geo
    glsl .geojson json .gi gap .gitconfig ini .gleam gleam .glsl glsl .go go .golo golo .googlesql
    googlesql .googlesql.sql googlesql .gpx xml .gql graphql .gradle groovy .graph roboconf-graph .graphql
    graphql .graphqls graphql .groovy groovy .gs gosu .gsed sed .gsp gosu .gsql gsql .gst gst .gsx gosu
    .gv graphviz .h c .h++ cpp .ha hare .haml haml .handlebars html+handlebars .har json .hbs
    html+handlebars .hcl terraform .hdp dylan-lid .hh cpp .hlsl hlsl .hlsli hlsl .hpp cpp .hrl erlang .hs
    haskell .hsail hsail .htm html .htm.j2 html+django .htm.jinja2 html+django .html html .html.j2
    html+django .html.jinja2 html+django .htmlul4 html+ul4 .hx haxe .hxml haxeml .hxsl haxe .hxx cpp .hy
    hylang .hyb hybris .i swig .i6t i6t .i7x inform7 .icl clean .icn unicon .icon icon .idc c .idl omg-idl
    .idl4 camkes .idr idris .ijs j .ik ioke .iml xml .importmap json .inc php .inf ini .ini ini .ino
    arduino .instances roboconf-instances .intr dylan .io io .ipf igor .ipp cpp .ipynb json .isa amdgpu
    .ixx cpp .j objective-j .j2 django .jade pug .jag jags .janet janet .java java .jbst duel .jbuilder
    ruby .jcl jcl .jdn janet .jinja django .jinja2 django .jl julia .jp jmespath .js javascript .js.in
    javascript+mozpreproc .js.j2 javascript+django .js.jinja2 javascript+django .jsgf jsgf .jslt jslt .jsm
    javascript .json json .json5 json5 .jsonc json5 .jsonl json .jsonld jsonld .jsonnet jsonnet .jsp jsp
    .jsul4 js+ul4 .jsx jsx .juttle juttle .jy python .k k .kal kal .kid genshi .kif newlisp .kk koka .kki
    koka .kml xml .kmsg kmsg .kn kuin .kql kql .ksh bash .kt kotlin .kts kotlin .kusto kql .lagda
    literate-agda .lasso lasso .lasso8 lasso .lasso9 lasso .lcry literate-cryptol .ldif ldif .lean lean4
    .leex elixir .less less .lgt logtalk .lhs literate-haskell .libsonnet jsonnet .lid dylan-lid .lidr
    literate-idris .liquid liquid .lisp common-lisp .ll llvm .load fish .logtalk logtalk .lpad cplint .ls
    livescript .lsl lsl .lsp newlisp .lua lua .luau luau .ly lilypond .m objective-c .m2 macaulay2 .ma
    mathematica .mac maxima .mak make .man groff .mao mako .maql maql .mask mask .max maxima .mc mason
    .mcfunction mcfunction .mcschema mcschema .metal cpp .mhtml mason .mi maple .mips mips .mir llvm-mir
    .mjs javascript .mk make .ml ocaml .mli ocaml .mll ocaml .mly ocaml .mm objective-c++ .mo modelica
    .mod modula2 .module json .mojo mojo .monkey monkey .moo moocode .moon moonscript .mos mosel .mount
    systemd .mpl maple .mq4 mql .mq5 mql .mqh mql .ms miniscript .msc mscgen .mt monte .mts typescript .mu
    mupad .mxml mxml .mxx cpp .myt myghty .n nemerle .nasm nasm .nb mathematica .nbp mathematica .nc nesc
    .ncl ncl .ndjson json .ng2 html+ng2 .ni inform7 .nim nimrod .nimrod nimrod .nit nit .nix nixos .njk
    html .nl newlisp .nqp perl6 .ns2 newspeak .nsh nsis .nsi nsis .nt nestedtext .numba_ir numba_ir
    .nuspec xml .objdump objdump .objdump-intel objdump-nasm .odin odin .ooc ooc .opa opa .orc csound .p
    openedge .p6 perl6 .p6l perl6 .p6m perl6 .pack visualprolog .pan pan .pas delphi .patch diff .path
    systemd .pc pkgconfig .pcmk crmsh .pddl pddl .peg peg .pem asc .perl perl .ph visualprolog .php php
    .php3 php .php4 php .php5 php .phtml html+php .pidl omg-idl .pig pig .pike pike .pl perl .pl6 perl6
    .plist xml .plot gnuplot .plt gnuplot .pm perl .pm6 perl6 .pml promela .pmod pike .po pot .podspec
    ruby .pom xml .pony pony .portugol portugol .pot pot .pov pov .pp puppet .pr promela .praat praat .prg
    foxpro .prm promela .pro prolog .proc praat .prolog prolog .prom promela .promela promela .promql
    promql .properties properties .props xml .proto protobuf .prql prql .ps postscript .ps1 powershell
    .psc praat .psd1 powershell .psi parasail .psl parasail .psm1 powershell .ptls pointless .ptx ptx .pug
    pug .purs purescript .pwn pawn .pxd cython .pxi cython .py python .py2tb py2tb .py3tb pytb .pye python
    .pyi python .pypylog pypylog .pytb pytb .pyul4 py+ul4 .pyw python .pyx cython .q q .qbs qml .ql codeql
    .qll codeql .qml qml .qvs qlik .qvto qvto .qvw qlik .r splus .r3 rebol .rake ruby .raku perl6 .rakudoc
    perl6 .rakumod perl6 .rakutest perl6 .razor html .rb ruby .rbi ruby .rbw ruby .rbx ruby .re reasonml
    .react jsx .reb rebol .red red .reds red .reg registry .rego rego .rei reasonml .rell rell .resource
    robotframework .resx xml .rex rexx .rexx rexx .rhtml rhtml .ride ride .rita rita .rkt racket .rktd
    racket .rktl racket .rl ragel-c .rnc rng-compact .robot robotframework .rpf vgl .rq sparql .rql rql
    .rs rust .rs.in rust .rsl rsl .rss xml .rts trafficscript .ru ruby .run ampl .rvt tcl .rx rexx .s gas
    .sage python .sarl sarl .sas sas .sass sass .savi savi .sbl snowball .sbt scala .sc supercollider
    .scad openscad .scala scala .scaml scaml .scd supercollider .scdoc scdoc .sce scilab .sci scilab .scm
    scheme .sco csound-score .scope systemd .scss scss .sed sed .service systemd .sgf sgf .sh bash
    .sh-session console .shell-session console .shen shen .shex shexc .sieve sieve .sig sml .sil silver
    .siv sieve .sl slurm .sla slash .slice systemd .slim slim .sls yaml+jinja .smali smali .smithy smithy
    .sml sml .smv nusmv .snbt snbt .snobol snobol .socket systemd .sol solidity .sources debian.sources
    .sp sp .sparql sparql .spec spec .spice spice .spt cheetah .sql sql .sql.j2 sql+jinja .sql.jinja2
    sql+jinja .sqlite3-console sqlite3 .ss scheme .ssed sed .ssp ssp .st smalltalk .stan stan .star python
    .storyboard xml .sv systemverilog .svelte html .svh systemverilog .swap systemd .swg swig .swift swift
    .t perl .tac python .tact tact .tal tal .tap tap .target systemd .targets xml .tasm tasm .tcl tcl
    .tcsh tcsh .td tablegen .tea tea .teal teal .tesc glsl .tese glsl .tex tex .tf terraform .tfvars
    terraform .thrift thrift .thy isabelle .ti ti .tid tid .timer systemd .tlb tlb .tmpl cheetah .tnt tnt
    .toc tex .toml toml .topojson json .tpl smarty .tpp cpp .treetop treetop .ts typescript .tst scilab
    .tsx tsx .tt treetop .ttl turtle .twig html+twig .typ typst .typoscript typoscript .u ucode .u1 ucode
    .u2 ucode .udo csound .ul4 ul4 .usd usd .usda usd .v verilog .vala vala .vapi vala .vark gosu .vb
    vb.net .vbproj xml .vbs vbscript .vcl vcl .vcxproj xml .vert glsl .vhd vhdl .vhdl vhdl .vim vim
    .vipgrm visualprologgrammar .vm velocity .vp verifpal .vpr silver .vue vue .vy vyper .wast wast .wat
    wast .wdiff wdiff .webidl webidl .webmanifest json .weechatlog irc .wgsl wgsl .whiley whiley .wl
    mathematica .wls mathematica .wlua lua .wren wren .wsdl xml .wsf xml .x logos .x10 x10 .xaml xml .xbm
    c .xbrl xml .xc json .xhtml html .xhtml.j2 html+django .xhtml.jinja2 html+django .xi logos .xib xml
    .xm logos .xmi logos .xml xml .xml.j2 xml+django .xml.jinja2 xml+django .xmlul4 xml+ul4 .xpl xslt .xpm
    c .xpp xpp .xq xquery .xql xquery .xqm xquery .xquery xquery .xqy xquery .xsd xml .xsl xslt .xslt xslt
    .xtend xtend .xtm extempore .xul.in xul+mozpreproc .yaml yaml .yaml.j2 yaml+jinja .yaml.jinja2
    yaml+jinja .yang yang .yar yara .yml yaml .yml.j2 yaml+jinja .yml.jinja2 yaml+jinja .zeek zeek .zep
    zephir .zig zig .zone zone .zsh bash .🔥 mojo
    """
)
"""Ends of names, with their dot; capital letters only where they tell another language."""

PREFIXES = _pairs(
    """
    .bash_ bash .env. bash Containerfile. docker Dockerfile. docker Kconfig kconfig Makefile. make bash_
    bash external.in kconfig
    """
)
"""Beginnings of names."""

SNIFFED = frozenset(
    """
    .bc .fif .geo .load .max .mo .nb .pack .pc .q .run .x
    """.split()
)
"""Endings that are as often binary, so that the content must confirm the language."""

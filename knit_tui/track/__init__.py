"""What the agent read and edited, and what changed since. Pure: values in, values out, no I/O and no clock.

``state.Tracking`` is everything that is remembered; each function gives the next one, and the very same
one when nothing changed. How an engine uses it, with one counter for ``seq`` that it raises for every
event and every pack:

    Reset         state = restarted(state), and evidence of this poll that was not noted yet is dropped
    SessionInfo   state = following(state, session_id)
    ReadDone,     Evidence(path, …), with the file's time as an ``lstat`` at this moment has it. While a
    EditDone      backlog is told (the first poll, and after Reset) that is None: nobody knows what the file
                  was then
    Compacted,    Loss(seq, why), among the evidence: what was read was read, but the agent's context may hold
    Rewind        it no longer
    view made     pack = packed(views[Tab.CONTEXT], task, topic), of a complete snapshot that answers the
                  conversation; a typed query and an index that still fills make no epoch
    then          state = advanced(state, evidence, pack, seq, now): evidence belongs to the pack that was
                  in force; a session without one yet gets the pack at hand first, so that what was read
                  before knit looked is held against the earliest pack there is
    to be shown   usage = report(state, mtimes, present, scanned=…), in a ``Step``; before ``advanced`` for
                  what happened since the last pack, after it for a panel that shows the new one
"""

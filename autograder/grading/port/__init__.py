"""The port: what is asked of a worker, how it crosses over, and what the judge makes of the answers.

The examiner asks {"do": request, ...}, and the worker, by its method do_<request>, replies:

    request    fields                                             reply, beside `error`, `slow`, `stuck`, `worked`
    call       at, inputs, options, seconds, look, weights, seed  value, printed, changed, noted, views, shared
    gradients  at, inputs, options, seconds, weights, seed        gradients, one for each input that learns
    look       at, question, inputs, seconds                      value: what is seen only over there
    build      at, inputs, options, seconds, seed                 value: the number of a layer that lives on
    begin      taught                                             nothing: what was taught is there, and no more
    run        code, seconds, patience, names                     outputs
    get        name                                               found, value: what a variable holds
    halt       names                                              nothing: they are not called any more
    lend       names                                              nothing: references stand in for them

`at`: the number of an object over there, as a value or `build` gave it; `look`: what to watch meanwhile; `weights`: in
the place of a layer's own. Until it replies, the worker may ask back, as `Call` in remote.py says, what a function here
makes of inputs. frames.py packs all of it; replies.py and descriptions.py say what is no forgery.
"""

// Prints how soon the design of a store knows of an event, beside a bare loop that sees the same
// event, and what a thousand devices take of memory. Benchmarks/watching measures the commands.
//
// The delay is that of one change of one file, on a machine at rest; what a library of screens does
// with the design is left out. The devices are those of a machine in memory, so that what libudev
// takes while it lists real ones is left out, too.

await Delay.measure()
await Memory.measure()

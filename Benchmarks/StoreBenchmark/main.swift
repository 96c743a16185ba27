// Usage: StoreBenchmark [--json] [PART OF A NAME]
//
// Compares the store and its publishers with the simplest possible implementations, alternating
// between them in one run. For each figure it prints the best and the median of all samples, and
// the allocations. A part of a name limits the run to the matching groups and figures. With --json,
// each figure is one JSON object per line.

await measureBuilds()
await measureAnswers()
await measureRoundTripsOffMain()
await measureRoundTripsOnMain()
await measureManyEffects()
await measureWaiting()
await measureContention()
await measurePublishers()
await measureInjection()
await measureParts()
await measureFeatures()
await measureNavigation()
await measureNestedScopes()
await measureLinks()
await measureFollows()
await measureSizes()
await measureRetention()
await measureKeeping()
await measureSaving()

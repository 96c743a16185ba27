// Usage: StoreBenchmark [--json] [PART OF A NAME]
//
// Measures the store and its publishers beside the plainest peers, in turns in one run: the best of
// all samples beside the median, with allocations. A part of a name limits the run to the groups
// and figures with such a name. With --json each figure is one JSON object a line.

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

@_exported public import LegoSamples

print("StoreBenchmark")

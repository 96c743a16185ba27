print("DecisionBenchmark")

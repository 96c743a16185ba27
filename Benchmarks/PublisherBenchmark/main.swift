// Measures the cost per value of publishers, outside the main actor.

let report = Task.detached {
  print("nanoseconds for one value                        median      best")
  for (name, work) in [
    ("a plain loop", Chains.loop),
    ("map, filter, removeDuplicates", Chains.ofThree),
    ("the same from a sequence", Chains.ofThreeFromSequence),
    ("the same, erased after each", Chains.ofThreeErased),
    ("flatMap with a Just", Chains.flatMap),
    ("merge", Chains.merge),
    ("switchToLatest with a Just", Chains.switchToLatest),
    ("combineLatest", Chains.combineLatest),
    ("zip, for a pair", Chains.zip),
    ("a Future with its answer, erased", Chains.future),
  ] {
    print(Measurement(name, work).line)
  }
  print("checksum \(Checksum.value)")
}
await report.value

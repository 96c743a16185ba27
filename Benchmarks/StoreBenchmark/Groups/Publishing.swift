import LegoKit

/// Measures values that pass through subjects and operators.
@concurrent func measurePublishers() async {
  Report.shared.begin(
    "one value sent, one sink, off the main actor",
    "one thread sends; the bare subject has no demand, no end and no second subscriber")
  let closure = BareSubject { look($0) }
  let subject = PassthroughSubject<Int, Never>()
  let token = subject.sink { look($0) }
  let sends = await measure(
    Operation("a closure behind a Mutex") { for i in 0..<$0 { closure.send(i) } },
    Operation("PassthroughSubject.send") { for i in 0..<$0 { subject.send(i) } })
  compare("the closure", sends[1], to: sends[0], atMost: 2)

  Report.shared.begin(
    "a value through operators, off the main actor",
    "the whole way from send to sink; the 970 ns of flatMap are OpenCombine's, measured elsewhere")
  let source = PassthroughSubject<Int, Never>()
  let chain = source.map { $0 &+ 1 }.filter { $0 != 0 }.removeDuplicates().sink { look($0) }
  let flattened = PassthroughSubject<Int, Never>()
  let inner = flattened.flatMap { Just($0) }.sink { look($0) }
  let costs = await measure(
    Operation("map, filter, removeDuplicates") { for i in 0..<$0 { source.send(i) } },
    Operation("flatMap to a Just") { for i in 0..<$0 { flattened.send(i) } })
  compare("a chain of three", costs[0], atMost: 100)
  compare("flatMap", costs[1], atMost: 970)

  Report.shared.begin("a future, off the main actor", "made, subscribed to and then resolved")
  let futures = await measure(
    Operation("Future: create, sink, resolve") { count in
      for i in 0..<count {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        let token = future.sink { look($0) }
        promise?(.success(i))
        withExtendedLifetime(token) {}
      }
    })
  compare(allocations: futures[0], atMost: 3)
  withExtendedLifetime((token, chain, inner)) {}
}

import LegoKit

private struct Dial: Service {
  static let contractor = Dial()
  var number = 1
}

extension Contractors {
  fileprivate var dial: Dial {
    get { Self[Dial.Value.self] }
    set { Self[Dial.Value.self] = newValue }
  }
}

private enum Local {
  @TaskLocal static var dial = Dial()
}

private struct Reader: Sendable {
  @Contractor(\.dial) var dial: Dial
}

/// Compares the lookup of a service with that of a task-local value.
///
/// The target of twice the cost is missed if the service is overridden. One task-local value holds
/// all overrides, so the service must be found in it by its type, and then unboxed.
@concurrent func measureInjection() async {
  Report.shared.begin(
    "an injected read, off the main actor",
    "inside a task; the defaults come first, before anything in the process was replaced")
  let reader = Reader()
  let reads = await measure(
    Operation("a @TaskLocal") { for _ in 0..<$0 { look(Local.dial.number) } },
    Operation("@Contractor, the default") { for _ in 0..<$0 { look(reader.dial.number) } },
    Operation("Contractors().dial, the default") {
      for _ in 0..<$0 { look(Contractors().dial.number) }
    })
  compare("a @TaskLocal, the default", reads[1], to: reads[0], atMost: 2)
  let overridden = await Local.$dial.withValue(Dial(number: 2)) {
    await withContractors {
      $0.dial = Dial(number: 2)
    } operation: {
      await measure(
        Operation("a @TaskLocal, bound") { for _ in 0..<$0 { look(Local.dial.number) } },
        Operation("@Contractor, overridden") { for _ in 0..<$0 { look(reader.dial.number) } })
    }
  }
  _ = await measure(
    Operation("@Contractor, the default, others overridden") {
      for _ in 0..<$0 { look(reader.dial.number) }
    })
  compare("a @TaskLocal, overridden", overridden[1], to: overridden[0], atMost: 2)
}

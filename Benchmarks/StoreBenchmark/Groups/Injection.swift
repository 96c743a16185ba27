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

/// A service that is looked up, beside a task-local value.
///
/// Twice a task-local value has not been reached where the service is overridden: one task-local
/// holds all overrides, so that the value is then found in its list by type, and taken out of a box.
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

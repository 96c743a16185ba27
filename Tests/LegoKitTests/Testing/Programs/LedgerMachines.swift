import LegoKit
import LegoTesting
import Testing

/// The store itself.
final class PlainMachine: Machine {
  private let lego: Lego<Ledger>
  private let collected = Collected<Ledger.Design>()
  private let token: AnyCancellable

  init(_ program: LedgerProgram, _ yard: Yard, _ tracer: LegoTracer) {
    lego = Lego(.init(), feature: program.feature(in: yard), tracer: tracer)
    token = lego.onDesignChange { [collected] in collected.append($0) }
  }

  var isSettled: Bool { lego.isSettled }
  var effectCount: Int { lego.effectCount }
  var design: Ledger.Design { lego.design }
  var designs: [Ledger.Design] { collected.values }

  func build(_ change: Ledger.Change) -> Build { lego.build(change) }
  func cancel(id: Int) { lego.cancel(id: id) }
  func endFollows() { lego.endFollows() }
  func close() async { await lego.close() }
  func look() {}
}

/// The store under test, which accounts for every change and all that it does.
final class TestedMachine: Machine {
  private let lego: TestLego<Ledger>
  private let rules: FeatureBlueprint<Ledger>
  private let received = Collected<Ledger.Change>()
  private let collected = Collected<Ledger.Design>()

  init(_ program: LedgerProgram, _ yard: Yard, _ tracer: LegoTracer) {
    let feature = program.feature(in: yard)
    rules = feature.blueprint
    lego = TestLego(.init(), feature: feature, timeout: .zero, tracer: tracer)
  }

  var isSettled: Bool { lego.isSettled }
  var effectCount: Int { lego.effectCount }
  var design: Ledger.Design { lego.design }
  var designs: [Ledger.Design] { collected.values }
  var changes: [Ledger.Change] { received.values }

  func build(_ change: Ledger.Change) -> Build {
    let build = lego.build(change) { [rules] in rules.change(&$0, on: change) }
    // A change of a room that is not there is ignored, and has no number.
    if build.number > 0 { note(change) }
    return build
  }

  func cancel(id: Int) { lego.cancel(id: id) }
  func endFollows() { lego.endFollows() }
  func close() async { await lego.close() }

  func look() async {
    for change in lego.unreceived {
      await lego.receive(change) { [rules] in rules.change(&$0, on: change) }
      note(change)
    }
    #expect(lego.unreceived.isEmpty)
  }

  func finish() async { await lego.finish() }

  private func note(_ change: Ledger.Change) {
    received.append(change)
    if lego.design != collected.values.last ?? .init() { collected.append(lego.design) }
  }
}

import LegoKit
import LegoTesting
import Testing

/// The store itself.
final class PlainMachine: Machine {
  private let lego: Lego<Ledger>
  private let collected = Collected<Ledger.Design>()
  private let token: AnyCancellable

  init(_ program: LedgerProgram, _ yard: Yard, _ tracer: LegoTracer) {
    lego = Lego(.init(), blueprint: Ledger(), adaptors: program.adaptors(yard), tracer: tracer)
    token = lego.onDesignChange { [collected] in collected.append($0) }
  }

  var isSettled: Bool { lego.isSettled }
  var effectCount: Int { lego.effectCount }
  var design: Ledger.Design { lego.design }
  var designs: [Ledger.Design] { collected.values }

  func build(_ change: Ledger.Change) -> Build { lego.build(change) }
  func cancel(id: Int) { lego.cancel(id: id) }
  func endFollows() { lego.endFollows() }
  func look() {}
}

/// The store under test, which accounts for every change and all that it does.
final class TestedMachine: Machine {
  private let lego: TestLego<Ledger>
  private let received = Collected<Ledger.Change>()
  private let collected = Collected<Ledger.Design>()

  init(_ program: LedgerProgram, _ yard: Yard, _ tracer: LegoTracer) {
    lego = TestLego(
      .init(), blueprint: Ledger(), adaptors: program.adaptors(yard), timeout: .zero,
      tracer: tracer)
  }

  var isSettled: Bool { lego.isSettled }
  var effectCount: Int { lego.effectCount }
  var design: Ledger.Design { lego.design }
  var designs: [Ledger.Design] { collected.values }
  var changes: [Ledger.Change] { received.values }

  func build(_ change: Ledger.Change) -> Build {
    defer { note(change) }
    return lego.build(change) { Ledger().change(&$0, on: change) }
  }

  func cancel(id: Int) { lego.cancel(id: id) }
  func endFollows() { lego.endFollows() }

  func look() async {
    for change in lego.unreceived {
      await lego.receive(change) { Ledger().change(&$0, on: change) }
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

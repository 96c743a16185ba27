import LegoKit
import LegoTesting
import Testing

/// The store under test does what the store does: the same random programs, in both.
@Suite struct `The store and the store under test` {
  @Test(arguments: 0..<150 as Range<UInt64>)
  func `do the same in the same order`(seed: UInt64) async throws {
    let plain = try await sight(seed) { program, yard, listener in
      let machine = PlainMachine(program, yard, listener.tracer)
      let steps = try await program.run(on: machine, yard, listener)
      return LedgerSight(
        changes: listener.events.compactMap {
          if case .applied(_, _, let change) = $0 { change } else { nil }
        }, designs: machine.designs, steps: steps)
    }
    let tested = try await sight(seed) { program, yard, listener in
      let machine = TestedMachine(program, yard, listener.tracer)
      let steps = try await program.run(on: machine, yard, listener)
      await machine.finish()
      return LedgerSight(
        changes: machine.changes.map(Description.of), designs: machine.designs, steps: steps)
    }
    #expect(difference(plain.steps, tested.steps) == nil)
    #expect(difference(plain.changes, tested.changes) == nil)
    // The observer of a store comes after what its first design has caused.
    #expect(difference(plain.designs, tested.designs.suffix(plain.designs.count)) == nil)
    #expect(difference(plain.events, tested.events) == nil)
    #expect(difference(plain.problems, tested.problems) == nil)
  }

  /// Where two lists part, and what came just before.
  private func difference<Element: Equatable>(
    _ plain: [Element], _ tested: some BidirectionalCollection<Element>
  ) -> String? {
    let common = zip(plain, tested).prefix { $0 == $1 }.map(\.0)
    if common.count == plain.count, common.count == tested.count { return nil }
    let (left, right) = (plain.dropFirst(common.count), tested.dropFirst(common.count))
    return """
      after \(common.count) the same, the last of them \(common.suffix(5)),
      the store: \(left.prefix(3)), the store under test: \(Array(right.prefix(3)))
      """
  }

  private func sight(
    _ seed: UInt64, _ run: (LedgerProgram, Yard, Listener) async throws -> LedgerSight
  ) async throws -> LedgerSight {
    let (yard, listener) = (Yard(), Listener())
    let problems = Collected<String>()
    var sight = try await withContractors {
      $0.clock = yard
      $0.problemSink = LogSink { problems.append($0) }
    } operation: {
      try await run(LedgerProgram(seed: seed), yard, listener)
    }
    sight.events = listener.events
    sight.problems = problems.values
    return sight
  }
}

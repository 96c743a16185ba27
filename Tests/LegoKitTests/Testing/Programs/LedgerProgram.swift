import LegoKit
import Testing

/// A program: what each change is answered with, and what is done to the store.
struct LedgerProgram: Sendable {
  private static let numbers = 12

  private enum Step: Sendable {
    case build(Int)
    case cancel(id: Int)
    case cancelBuild(Int)
    /// Lets one of those go who wait.
    case letGo(Int)
    case send(Int, Int)
    case end(subject: Int)
    case endFollows
  }

  /// What each number is answered with.
  struct Plans: Sendable {
    var answers: [Plan]
    var publishers: [Plan]
    var follows: [Plan]
    /// What is owed when the store is closed, after a gate.
    var closing: Plan

    init(_ random: inout SeededNumbers) {
      answers = (0..<LedgerProgram.numbers).map { Plan(above: $0, depth: 3, &random) }
      publishers = (0..<LedgerProgram.numbers).map { Plan(above: $0, depth: 0, &random) }
      follows = (0..<LedgerProgram.numbers).map { Plan(above: $0, depth: 2, &random) }
      closing = Plan(closingAbove: LedgerProgram.numbers, &random)
    }
  }

  private let whole: Plans
  private let room: Plans
  private let steps: [Step]
  /// Whether the store is closed at the end, with effects under way.
  private let closes: Bool

  init(seed: UInt64) {
    var random = SeededNumbers(state: seed)
    whole = Plans(&random)
    room = Plans(&random)
    steps = (0..<24).map { _ in
      let number = Int.random(in: 0..<1_000, using: &random)
      return switch Int.random(in: 0..<24, using: &random) {
      case 0..<7: .build(number % Self.numbers)
      case 7, 8: .cancel(id: number % 3)
      case 9, 10: .cancelBuild(number)
      case 11..<20: .letGo(number)
      case 20, 21: .send(number % 3, number % Self.numbers)
      case 22: .end(subject: number % 3)
      default: number % 4 == 0 ? .endFollows : .letGo(number)
      }
    }
    closes = Bool.random(using: &random)
  }

  /// The feature whose stores run the program, with its effects in a yard.
  func feature(in yard: Yard) -> Feature<Ledger> {
    let room = Feature(
      LedgerRoom(),
      adaptors: [
        PlanAnswers(
          room, yard, \.level, number: { if case .step(let number) = $0 { number } else { nil } },
          make: { .step($0) })
      ])
    return Feature(
      Ledger(),
      adaptors: [
        PlanAnswers(
          whole, yard, \.level, number: { if case .step(let number) = $0 { number } else { nil } },
          make: { .numbered($0) })
      ]
    )
    .each(\.rooms, .case(Ledger.Change.room), room)
  }

  /// Runs the program, one step after another, each until all is quiet.
  func run(on machine: some Machine, _ yard: Yard, _ listener: Listener) async throws -> [String] {
    var builds: [Build] = []
    var notes: [String] = []
    // What follows from the first design has sent already.
    try await quiet(machine, yard, listener)
    await machine.look()
    for step in steps {
      let places = yard.places
      switch step {
      case .build(let number): builds.append(machine.build(.numbered(number)))
      case .cancel(let id): machine.cancel(id: id)
      case .cancelBuild(let number):
        if !builds.isEmpty { builds[number % builds.count].cancel() }
      case .letGo(let number): if !places.isEmpty { letGo(places, number, yard) }
      case .send(let subject, let number): yard.subjects[subject].send(number)
      case .end(let subject): yard.subjects[subject].send(completion: .finished)
      case .endFollows: machine.endFollows()
      }
      try await quiet(machine, yard, listener)
      await machine.look()
      notes.append("\(step): \(machine.design), \(machine.effectCount) running, at \(yard.now)")
    }
    if closes {
      notes += try await close(machine, yard, listener)
      return notes
    }
    // Whatever still waits goes, and then nothing may be left.
    machine.endFollows()
    for subject in yard.subjects { subject.send(completion: .finished) }
    try await quiet(machine, yard, listener)
    while let place = yard.places.first {
      yard.letGo(place)
      try await quiet(machine, yard, listener)
    }
    await machine.look()
    notes.append("end: \(machine.design), \(machine.effectCount) running")
    return notes
  }

  /// Closes the machine while effects are under way.
  private func close(
    _ machine: some Machine, _ yard: Yard, _ listener: Listener
  ) async throws -> [String] {
    let isClosed = Collected<Void>()
    Task {
      await machine.close()
      isClosed.append(())
    }
    // All adaptors are asked before the first of their effects starts.
    try await wait {
      let gates = yard.closingGates
      return !gates.isEmpty && gates.allSatisfy { yard.places.contains(.gate($0)) }
    }
    try await quiet(machine, yard, listener)
    var notes = ["closing: \(machine.design), \(machine.effectCount) running"]
    // Other effects go on meanwhile.
    let gates = yard.closingGates
    let others = yard.places.filter { !gates.map(Yard.Place.gate).contains($0) }
    for place in others.prefix(1) + gates.map(Yard.Place.gate) {
      yard.letGo(place)
      if place == gates.last.map(Yard.Place.gate) { try await wait { !isClosed.values.isEmpty } }
      try await quiet(machine, yard, listener)
      await machine.look()
    }
    notes.append("closed: \(machine.design), \(machine.effectCount) running")
    return notes
  }

  private func wait(until isTrue: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isTrue() {
      try #require(ContinuousClock.now < deadline, "the program does not go on")
      await Task.yield()
    }
  }

  /// Lets any go that waits at a gate, or the first that waits for a time.
  private func letGo(_ places: [Yard.Place], _ number: Int, _ yard: Yard) {
    let place = places[number % places.count]
    if case .time = place,
      let first = places.first(where: { if case .time = $0 { true } else { false } })
    {
      yard.letGo(first)
    } else {
      yard.letGo(place)
    }
  }

  /// Waits until every task of an effect waits in the yard, and the store has nothing to do.
  private func quiet(
    _ machine: some Machine, _ yard: Yard, _ listener: Listener
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      // The three are read at one moment if nobody came, went or was heard meanwhile.
      let (before, heard) = (yard.count, listener.count)
      let isQuiet = machine.isSettled && before.waiting == heard.tasks
      if isQuiet, yard.count == before, listener.count == heard { return }
      try #require(ContinuousClock.now < deadline, "the program does not come to rest")
      await Task.yield()
    }
  }
}

import LegoKit
import LegoTesting
import Testing

// The relays of Granite are stores behind contractors: a switch that two clocks share.

private struct SwitchCenter: Blueprint {
  struct Design: Equatable, Sendable {
    var isOn = false
    var followed: Bool?
  }

  enum Change: Equatable, Sendable {
    case turn(Bool)
    case follow(Bool)
    case ask(Bool)
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .turn(let isOn): design.isOn = isOn
    case .follow(let isOn): design.followed = isOn
    case .ask: break
    }
  }
}

private enum SwitchService: Service {
  static let contractor = Lego(SwitchCenter.Design(), blueprint: SwitchCenter())
  static let testContractor: Lego<SwitchCenter>? = nil
}

private enum EastService: Service {
  static let contractor = twin(of: \.west)
  static let testContractor: Lego<SwitchCenter>? = contractor
}

private enum WestService: Service {
  static let contractor = twin(of: \.east)
  static let testContractor: Lego<SwitchCenter>? = contractor
}

extension Contractors {
  fileprivate var relay: Lego<SwitchCenter> {
    get { Self[SwitchService.self] }
    set { Self[SwitchService.self] = newValue }
  }
  fileprivate var east: Lego<SwitchCenter> { Self[EastService.self] }
  fileprivate var west: Lego<SwitchCenter> { Self[WestService.self] }
}

private typealias RelayPath = any KeyPath<Contractors, Lego<SwitchCenter>> & Sendable

/// Shows what a relay has, and asks it for changes.
private final class Relayed: Adaptor<SwitchCenter> {
  private let relay: RelayPath

  init(_ relay: RelayPath) {
    self.relay = relay
  }

  override var follows: [Follow<SwitchCenter>] {
    [Follow(shared: relay, \.isOn) { .follow($0) }]
  }

  override func effect(
    _ design: SwitchCenter.Design, on change: SwitchCenter.Change
  ) -> Effect<SwitchCenter.Change> {
    guard case .ask(let isOn) = change else { return .none }
    return .build(SwitchCenter.Change.turn(isOn), on: relay)
  }
}

private func component(_ relay: RelayPath = \.relay) -> Lego<SwitchCenter> {
  Lego(.init(), blueprint: SwitchCenter(), adaptors: [Relayed(relay)])
}

private func twin(of relay: RelayPath) -> Lego<SwitchCenter> { component(relay) }

/// Runs a test with a relay of its own.
private func withRelay(_ test: (Lego<SwitchCenter>) async -> Void) async {
  let relay = Lego(SwitchCenter.Design(), blueprint: SwitchCenter())
  await withContractors {
    $0.relay = relay
  } operation: {
    await test(relay)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The names of Granite: relays` {
  // Row of FromGranite: `GraniteRelay`, `GraniteService`
  @Test func `a service is a lego that a contractor names`() {
    func contractor<S: Service>(of _: S.Type) -> S.Value { S.contractor }
    let service: Lego<SwitchCenter> = contractor(of: SwitchService.self)
    #expect(service === SwitchService.contractor)
  }

  // Row of FromGranite: `@Service(.online)`, `online`
  @Test func `one that is online is the same for all, and all show its changes`() async {
    await withRelay { relay in
      #expect(Contractors().relay === relay)
      let components = [component(), component()]
      relay.build(.turn(true))
      for component in components {
        #expect(await component.observe(\.followed).first { $0 == true } == true)
      }
    }
  }

  // Row of FromGranite: `@Service` without it
  @Test func `one that is not is a store of each component`() {
    let services: [Lego<SwitchCenter>] = (0..<2).map { _ in
      Lego(.init(), blueprint: SwitchCenter())
    }
    services[0].build(.turn(true))
    #expect(services.map(\.design.isOn) == [true, false])
  }

  // Row of FromGranite: `@Relay` in a component
  @Test func `a component follows a relay`() async {
    await withRelay { relay in
      let component = component()
      #expect(await component.observe(\.followed).first { $0 != nil } == false)
      relay.build(.turn(true))
      #expect(await component.observe(\.followed).first { $0 == true } == true)
    }
  }

  // Row of FromGranite: `@Relay` in a reducer
  @Test func `a change is built on a relay`() async {
    await withRelay { relay in
      let component = component()
      await component.build(.ask(true)).finished()
      #expect(relay.design.isOn)
    }
  }

  // Row of FromGranite: two services that refer to each other
  @Test func `two relays follow each other`() async {
    let (east, west) = (Contractors().east, Contractors().west)
    east.build(.turn(true))
    #expect(await west.observe(\.followed).first { $0 == true } == true)
    west.build(.turn(true))
    #expect(await east.observe(\.followed).first { $0 == true } == true)
  }
}

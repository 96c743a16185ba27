import LegoKit
import LegoTesting
import Testing

private func isSendable<Value: Equatable & Sendable>(_ type: Value.Type) -> Bool { true }

@Suite struct `The names of LegoKit: designs, changes and blueprints` {
  // Row of FromLegoKit: `Design`, `Equatable`
  @Test func `a design is compared, and crosses threads`() async {
    let design = NurseryBlueprint.Design()
    #expect(isSendable(NurseryBlueprint.Design.self))
    #expect(await Task.detached { design }.value == design)
    func type<B: Blueprint>(of _: B) -> B.Design.Type { B.Design.self }
    #expect(type(of: NurseryBlueprint()) == NurseryBlueprint.Design.self)
  }

  // Row of FromLegoKit: `Change`, `Equatable`
  @Test func `a change is compared, and crosses threads`() async {
    let change = BedBlueprint.Change.plant("fern")
    func isChange<B: Blueprint>(_: B.Change, of _: B.Type) -> Bool { true }
    #expect(isChange(change, of: BedBlueprint.self))
    #expect(isSendable(BedBlueprint.Change.self))
    #expect(await Task.detached { change }.value == .plant("fern"))
  }

  // Row of FromLegoKit: `Blueprint`, `change(_:on:)`
  @Test func `a blueprint applies a change to a design`() {
    var design = BedBlueprint.Design()
    let blueprint: some Blueprint<BedBlueprint.Design, BedBlueprint.Change> = BedBlueprint()
    blueprint.change(&design, on: .plant("fern"))
    #expect(design.plant == "fern")
  }

  // Row of FromLegoKit: `brick`
  @Test func `a brick is a constant of its blueprint`() {
    func brick<B: Blueprint>(of _: B.Type) -> B.Value { B.brick }
    var design = BedBlueprint.Design()
    brick(of: BedBlueprint.self).change(&design, on: .requestAccess)
    #expect(design.requests == 1)
  }

  // Row of FromLegoKit: `Bricks`, `@Brick`
  @Test func `a brick is found by its property, and replaced for an operation`() {
    @Brick(\.bed) var found
    withBricks { (bricks: inout Bricks) in
      bricks.bed = BedBlueprint(limit: 1)
    } operation: {
      var design = NurseryBlueprint.Design()
      for _ in 0..<3 { NurseryBlueprint().change(&design, on: .bed(.requestAccess)) }
      #expect(design.bed.requests == 1)
    }
    #expect(found.limit == .max)
  }

  // Row of FromLegoKit: `Value`
  @Test func `a value is the type of a brick, or of what a service gives`() {
    func type<B: Blueprint>(of _: B.Type) -> B.Value.Type { B.Value.self }
    #expect(type(of: BedBlueprint.self) == BedBlueprint.self)
    #expect(NurseryBlueprint.Value.self == Void.self)
    #expect(WateringService.Value.self == WateringService.self)
    func value<S: Service>(of _: S.Type) -> S.Value { S.contractor }
    #expect(value(of: WateringService.self).answer == .open)
  }

  // Row of FromLegoKit: a blueprint made of others: `house.change(_:on:)`
  @Test func `a part by hand changes as one that is plugged in, which brings its adaptors`() async {
    let byHand = Lego(.init(), blueprint: NurseryBlueprint())
    let feature = Feature(Outside()).part(
      \.bed, .case(NurseryBlueprint.Change.bed, \.bed),
      Feature(BedBlueprint(), adaptors: [WateringAdaptor()]))
    let plugged = Lego(.init(), feature: feature)
    for lego in [byHand.scope(\.bed, change: { .bed($0) }), plugged.scope(\.bed) { .bed($0) }] {
      await lego.build(.requestAccess).finished()
      #expect(lego.design.requests == 1)
    }
    #expect(byHand.design.bed.watering == .unknown)
    #expect(plugged.design.bed.watering == .open)
  }

  private struct Outside: Blueprint {
    typealias Design = NurseryBlueprint.Design
    typealias Change = NurseryBlueprint.Change
    func change(_ design: inout Design, on change: Change) {}
  }

  // Row of FromLegoKit: `Stores`, `Reducers`, `Actions` of Redux
  @Test func `a store reduces actions as a lego applies changes by its blueprint`() {
    func reduced<B: Blueprint>(_ lego: Lego<B>, by actions: [B.Change]) -> B.Design {
      for action in actions { lego.build(action) }
      return lego.design
    }
    let actions = [BedBlueprint.Change.plant("fern"), .requestAccess]
    let reducer = BedBlueprint()
    let expected = actions.reduce(into: BedBlueprint.Design()) { reducer.change(&$0, on: $1) }
    #expect(reduced(BedBlueprint.lego(), by: actions) == expected)
  }

  // Row of FromLegoKit: `[Image]` in a design
  @Test func `a picture in a design is its bytes`() {
    #expect(BedBlueprint.Design(picture: [1, 2]) != BedBlueprint.Design(picture: [1]))
    #if canImport(SwiftUI)
      Issue.record("the page says that there is no SwiftUI")
    #endif
  }

  // Row of FromLegoKit: `Result<User, Error>` in a change
  @Test func `an error in a change is a type of its own`() {
    enum SignInError: Error { case unknownUser }
    func compared<Value>(_ value: Value) -> Bool { value is any Equatable }
    #expect(compared(Result<String, SignInError>.failure(.unknownUser)))
    #expect(!compared(Result<String, any Error>.failure(SignInError.unknownUser)))
  }
}

@Suite struct `The names of LegoKit: services and adaptors` {
  // Row of FromLegoKit: `Service`, `contractor`
  @Test func `a service has a constant that stands for it`() {
    func contractor<S: Service>(of _: S.Type) -> S.Value { S.contractor }
    let service = contractor(of: WateringService.self)
    #expect(service.status() == .unknown)
  }

  // Row of FromLegoKit: `Contractors`, `@Contractor`
  @Test func `a service is found by its property, and replaced for a task`() async {
    @Contractor(\.watering) var service
    #expect(service.answer == .open)
    await withContractors {
      $0.watering = WateringService(answer: .refused)
    } operation: {
      #expect(await Task { Contractors().watering.answer }.value == .refused)
      #expect(service.answer == .refused)
    }
    #expect(service.answer == .open)
  }

  // Row of FromLegoKit: `Task`, `async`, `withCheckedContinuation`
  @Test func `a completion becomes an answer that is awaited`() async {
    #expect(await WateringService(answer: .refused).requestAccess() == .refused)
  }

  // Row of FromLegoKit: `Adaptor`, `connect(_:on:)`
  @Test func `an adaptor answers with a publisher, or with an effect`() async {
    final class Effects: Adaptor<BedBlueprint> {
      override func effect(
        _ design: BedBlueprint.Design, on change: BedBlueprint.Change
      ) -> Effect<BedBlueprint.Change> {
        change == .requestAccess ? .send(.watering(.open)) : .none
      }
    }
    for lego in [BedBlueprint.lego([WateringAdaptor()]), BedBlueprint.lego([Effects()])] {
      await lego.build(.requestAccess).finished()
      #expect(lego.design.watering == .open)
    }
    var answers: [BedBlueprint.Change] = []
    for await answer in WateringAdaptor().connect(.init(), on: .requestStatus).values {
      answers.append(answer)
    }
    #expect(answers == [.watering(.unknown)])
  }

  // Row of FromLegoKit: `AnyPublisher`, `Future`, `promise`, `Never`, `eraseToAnyPublisher()`
  @Test func `futures come along with the import of LegoKit`() async {
    let future = Future<Int, Never> { promise in promise(.success(3)) }
    let publisher: AnyPublisher<Int, Never> = future.eraseToAnyPublisher()
    for await value in publisher.values { #expect(value == 3) }
  }

  // Row of FromLegoKit: `default: break` in a future, which is never answered
  @Test func `a promise that is never kept leaves nothing`() {
    let lego = BedBlueprint.lego([WateringAdaptor()])
    for _ in 0..<100 { lego.build(.ignored) }
    #expect(lego.effectCount == 0)
  }
}

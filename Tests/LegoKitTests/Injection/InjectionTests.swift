import LegoKit
import Testing

private struct Greeting: Service {
  static let contractor = Greeting(text: "default")
  var text: String
}

private struct Untested: Service {
  static let contractor = Untested()
  static let testContractor: Untested? = Untested(name: "for tests")
  var name = "real"
}

extension Contractors {
  fileprivate var greeting: Greeting {
    get { Self[Greeting.self] }
    set { Self[Greeting.self] = newValue }
  }

  fileprivate var untested: Untested {
    get { Self[Untested.self] }
    set { Self[Untested.self] = newValue }
  }
}

private struct Greeter: Sendable {
  @Contractor(\.greeting) var greeting: Greeting
}

private final class GreetingAdaptor: Adaptor<Counter> {
  @Contractor(\.greeting) private var greeting: Greeting

  override func effect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> Effect<Counter.Change> {
    guard change == .nothing else { return .none }
    return .run { send in send(.label(Contractors().greeting.text)) }
  }

  override func connect(
    _ design: Counter.Design, on change: Counter.Change
  ) -> AnyPublisher<Counter.Change, Never> {
    guard change == .add(1) else { return .empty }
    return Just(.label(greeting.text)).eraseToAnyPublisher()
  }
}

@Suite(.serialized) struct `A contractor` {
  private let greeter = Greeter()

  @Test func `is the service's own default`() {
    #expect(greeter.greeting.text == "default")
  }

  @Test func `is read at the point of use`() {
    withContractors {
      $0.greeting = Greeting(text: "inside")
    } operation: {
      #expect(greeter.greeting.text == "inside")
      withContractors {
        $0.greeting.text += " deeper"
      } operation: {
        #expect(greeter.greeting.text == "inside deeper")
      }
      #expect(greeter.greeting.text == "inside")
    }
    #expect(greeter.greeting.text == "default")
  }

  @Test func `is replaced for the whole process, and the last one counts`() {
    struct Other: Service {
      static let contractor = Other(number: 0)
      var number: Int
    }
    Contractors[Other.self] = Other(number: 1)
    Contractors[Other.self] = Other(number: 2)
    #expect(Contractors[Other.self].number == 2)
    withContractors { _ in
      Contractors[Other.self] = Other(number: 3)
    } operation: {
      #expect(Contractors[Other.self].number == 3)
    }
    #expect(Contractors[Other.self].number == 2)
  }

  @Test func `follows child tasks, and others by being captured`() async {
    await withContractors {
      $0.greeting = Greeting(text: "inside")
    } operation: {
      async let child = greeter.greeting.text
      #expect(await child == "inside")
      let captured = CapturedContractors()
      let (lost, kept) = await Task.detached { [greeter] in
        (greeter.greeting.text, captured { greeter.greeting.text })
      }.value
      #expect(lost == "default")
      #expect(kept == "inside")
    }
  }

  @Test func `is captured by a store into its effects`() async {
    let lego = withContractors {
      $0.greeting = Greeting(text: "inside")
    } operation: {
      Lego(.init(), blueprint: Counter(), adaptors: [GreetingAdaptor()])
    }
    await Task.detached { await lego.build(.nothing).finished() }.value
    #expect(lego.design.label == "inside")
    await Task.detached { _ = lego.build(.add(1)) }.value
    #expect(lego.design.label == "inside")
  }

  @Test func `that a test did not provide is reported by name`() async {
    let missing = Collected<String>()
    let note: @Sendable (String) -> Void = { missing.append($0) }
    await withTestContractors(onMissing: note) {
      #expect(greeter.greeting.text == "default")
      #expect(Contractors().untested.name == "for tests")
      withContractors {
        $0.greeting = Greeting(text: "provided")
      } operation: {
        #expect(greeter.greeting.text == "provided")
      }
    }
    #expect(missing.values == ["Greeting"])
  }

  @Test func `of a brick is replaced too`() {
    struct Louder: Blueprint {
      static let brick = Louder(by: 1)
      typealias Design = Counter.Design
      typealias Change = Counter.Change
      var by: Int
      func change(_ design: inout Design, on change: Change) { design.count += by }
    }
    withBricks { _ in
      Bricks[Louder.self] = Louder(by: 5)
    } operation: {
      #expect(Bricks[Louder.self].by == 5)
    }
    #expect(Bricks[Louder.self].by == 1)
  }
}

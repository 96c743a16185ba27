import Synchronization
import Testing

@testable import LegoKit

@Suite struct `The life of a store` {
  @Test func `a pending future does not keep the store`() {
    let promises = Collected<Future<Counter.Change, Never>.Promise>()
    let answers = Answers { _, _ in
      Future { promises.append($0) }.eraseToAnyPublisher()
    }
    var lego: Lego<Counter>? = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    weak let freed = lego
    lego?.build(.add(1))
    #expect(lego?.effectCount == 1)
    lego = nil
    #expect(freed == nil)
    // A promise that is kept too late reaches nobody.
    promises.values.first?(.success(.add(1)))
  }

  @Test func `a subscription ends when its publisher does`() {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let answers = Answers { _, change in
      change == .label("listen") ? subject.eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    lego.build(.label("listen"))
    #expect(lego.effectCount == 1)
    subject.send(.add(1))
    subject.send(.add(2))
    #expect(lego.design.count == 3)
    subject.send(completion: .finished)
    #expect(lego.effectCount == 0)
    subject.send(.add(4))
    #expect(lego.design.count == 3)
  }

  @Test func `a cancelled build applies nothing more`() {
    let subject = PassthroughSubject<Counter.Change, Never>()
    let answers = Answers { _, change in
      change == .label("listen") ? subject.eraseToAnyPublisher() : .empty
    }
    let lego = Lego(.init(), blueprint: Counter(), adaptors: [answers])
    let build = lego.build(.label("listen"))
    subject.send(.add(1))
    build.cancel()
    subject.send(.add(1))
    #expect(lego.design.count == 1)
    #expect(lego.effectCount == 0)
  }
}

@Suite struct `The designs of a store` {
  @Test func `start with the current one and end with the store`() async {
    var lego: Lego<Counter>? = Lego(.init(count: 7), blueprint: Counter())
    var designs = lego?.designs.makeAsyncIterator()
    #expect(await designs?.next()?.count == 7)
    lego?.build(.add(1))
    #expect(await designs?.next()?.count == 8)
    lego = nil
    #expect(await designs?.next() == nil)
  }

  @Test func `are the latest for a slow consumer`() async {
    let lego = Lego(.init(), blueprint: Counter())
    var designs = lego.designs.makeAsyncIterator()
    for _ in 0..<100 { lego.build(.add(1)) }
    #expect(await designs.next()?.count == 100)
  }
}

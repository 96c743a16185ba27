import LegoPublishers
import Testing

/// A subject that is subscribed to a publisher, as in Combine.
@Suite struct `A subject with an upstream` {
  private let upstream = PassthroughSubject<Int, Never>()
  private let asked = Collected<Subscribers.Demand>()
  private let cancelled = Collected<Int>()

  private var logged: some Publisher<Int, Never> {
    upstream.handleEvents(
      receiveCancel: { [cancelled] in cancelled.append(1) },
      receiveRequest: { [asked] in asked.append($0) })
  }

  @Test func `asks for values once somebody wants them, so that none is lost`() {
    let subject = PassthroughSubject<Int, Never>()
    let token = (1...3).publisher.subscribe(subject)
    let probe = Probe<Int, Never>(demand: .none)
    subject.subscribe(probe)
    #expect(probe.events == [])
    probe.request(.unlimited)
    #expect(probe.events == ["1", "2", "3", "finished"])
    withExtendedLifetime(token) {}
  }

  @Test func `asks once for everything`() {
    let subject = PassthroughSubject<Int, Never>()
    let token = logged.subscribe(subject)
    #expect(asked.values == [])
    let probes = (0..<2).map { _ in Probe<Int, Never>(demand: .max(1)) }
    for probe in probes { subject.subscribe(probe) }
    probes[0].request(.max(2))
    #expect(asked.values == [.unlimited])
    withExtendedLifetime(token) {}
  }

  @Test func `asks at once when it keeps a value`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let token = logged.subscribe(subject)
    #expect(asked.values == [.unlimited])
    upstream.send(5)
    #expect(subject.value == 5)
    withExtendedLifetime(token) {}
  }

  @Test func `is handed its subscription`() {
    final class Custom: Subject {
      typealias Output = Int
      typealias Failure = Never
      let calls = Collected<String>()
      func send(_ value: Int) { calls.append("\(value)") }
      func send(completion: Subscribers.Completion<Never>) { calls.append("finished") }
      func send(subscription: any Subscription) {
        calls.append("subscription")
        subscription.request(.max(2))
      }
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
    }
    let subject = Custom()
    let token = (1...9).publisher.subscribe(subject)
    #expect(subject.calls.values == ["subscription", "1", "2"])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: [true, false])
  func `cancels it when it is freed`(keepsValue: Bool) {
    var token: AnyCancellable?
    do {
      if keepsValue {
        let subject = CurrentValueSubject<Int, Never>(0)
        token = logged.subscribe(subject)
      } else {
        let subject = PassthroughSubject<Int, Never>()
        token = logged.subscribe(subject)
      }
    }
    #expect(cancelled.values == [1])
    upstream.send(1)
    token?.cancel()
    #expect(cancelled.values == [1])
  }

  @Test func `stops when the token is cancelled`() {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.subscribe(probe)
    let token = logged.subscribe(subject)
    upstream.send(1)
    token.cancel()
    upstream.send(2)
    subject.send(3)
    #expect(probe.events == ["1", "3"])
    #expect(cancelled.values == [1])
  }

  @Test func `keeps what is written after its end`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let probe = Probe<Int, Never>(demand: .unlimited)
    subject.subscribe(probe)
    subject.send(completion: .finished)
    subject.value = 2
    subject.send(3)
    #expect(subject.value == 2)
    #expect(probe.events == ["1", "finished"])
  }

  @Test func `frees an old value outside its lock`() {
    final class Talkative: Sendable {
      let subject: CurrentValueSubject<Talkative?, Never>
      let log: Collected<Bool>
      init(_ subject: CurrentValueSubject<Talkative?, Never>, _ log: Collected<Bool>) {
        self.subject = subject
        self.log = log
      }
      deinit { log.append(subject.value == nil) }
    }
    let subject = CurrentValueSubject<Talkative?, Never>(nil)
    let log = Collected<Bool>()
    subject.value = Talkative(subject, log)
    subject.value = nil
    #expect(log.values == [true])
  }
}

internal import Synchronization

/// An effect under way: it brings what a publisher sends into the store.
final class EffectRun<B: Blueprint>: Subscriber, Cancellable {
  typealias Input = B.Change
  typealias Failure = Never

  let number: UInt64
  /// The build that caused it.
  let root: UInt64
  /// Whether what it sends is still applied; cleared under the store's lock.
  let isLive = Atomic(true)
  private weak let lego: Lego<B>?
  private let link = SubscriptionLink()

  init(_ number: UInt64, root: UInt64, in lego: Lego<B>) {
    self.number = number
    self.root = root
    self.lego = lego
  }

  func receive(subscription: any Subscription) {
    if link.attach(subscription) { subscription.request(.unlimited) }
  }

  func receive(_ input: B.Change) -> Subscribers.Demand {
    lego?.build(input, from: self)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    link.end()
    lego?.end(self)
  }

  /// Stops the publisher; the store has ended the effect already.
  func cancel() {
    link.cancel()
  }
}

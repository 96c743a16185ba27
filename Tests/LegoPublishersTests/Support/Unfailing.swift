import LegoPublishers

/// The way to a witness from a publisher that may fail, and must not.
struct Unfailing<Input: Sendable>: Subscriber {
  typealias Failure = Failed

  let combineIdentifier = CombineIdentifier()
  private let witness: Witness<Input>

  init(_ witness: Witness<Input>) {
    self.witness = witness
  }

  func receive(subscription: any Subscription) { witness.receive(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { witness.receive(input) }

  func receive(completion: Subscribers.Completion<Failed>) {
    switch completion {
    case .finished: witness.receive(completion: .finished)
    case .failure: witness.note("a failure")
    }
  }
}

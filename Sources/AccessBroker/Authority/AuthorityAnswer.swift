package import MessageBus

/// What polkit has answered.
package enum AuthorityAnswer: Hashable, Sendable {
  case authorized
  case refused
  /// Somebody would have to authenticate, and no agent runs that could ask.
  case unasked
  /// The person took the dialog away.
  case dismissed
  /// There is no polkit, or it has failed: never a yes.
  case none(String)

  /// Reads the answer to `CheckAuthorization`, `(bba{ss})`.
  package init(_ result: Result<[BusValue], BusFailure>) {
    let values: [BusValue]
    switch result {
    case .success(let arguments): values = arguments
    case .failure(let failure):
      // Others end their texts as sentences, and this one goes on.
      let text = failure.description
      self = .none(text.hasSuffix(".") ? String(text.dropLast()) : text)
      return
    }
    guard values.count == 1, let parts = values[0].elements, parts.count == 3,
      let isAuthorized = parts[0].boolean, let isChallenge = parts[1].boolean,
      parts[2].elements != nil
    else {
      self = .none("polkit sent an invalid reply")
      return
    }
    if isAuthorized {
      self = .authorized
    } else if parts[2][key: "polkit.dismissed"] != nil {
      self = .dismissed
    } else {
      // It was allowed to ask a person: that somebody is still to be asked means that nobody could.
      self = isChallenge ? .unasked : .refused
    }
  }
}

package import MessageBus

/// The answer of polkit.
package enum AuthorityAnswer: Hashable, Sendable {
  case authorized
  case refused
  /// A user would have to authenticate, but no authentication agent is running.
  case unasked
  /// The user dismissed the dialog.
  case dismissed
  /// polkit is not available or has failed; this answer never authorizes.
  case none(String)

  /// Reads the reply to `CheckAuthorization`, which has the type `(bba{ss})`.
  package init(_ result: Result<[BusValue], BusFailure>) {
    let values: [BusValue]
    switch result {
    case .success(let arguments): values = arguments
    case .failure(let failure):
      // Remove the final period, because the text becomes part of a longer sentence.
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
      // Interaction was allowed, so a remaining challenge means that no agent could ask the user.
      self = isChallenge ? .unasked : .refused
    }
  }
}

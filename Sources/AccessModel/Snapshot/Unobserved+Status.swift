extension [Unobserved] {
  /// Why a decision was not reached, with what kept the object in question from being looked at.
  ///
  /// - Parameter reason: The reason that the decision gives, which names the object last.
  /// - Returns: The same as a clause, such as `…: /home (Input/output error)`.
  package func completing(_ reason: String) -> String {
    let layer = Node.Element.status.rawValue
    let unseen = first { unobserved in
      unobserved.layer == layer && unobserved.at.map { reason.hasSuffix(": \($0)") } ?? false
    }
    return unseen.map { "\(reason) (\($0.reason))" } ?? reason
  }
}

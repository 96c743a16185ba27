extension [Unobserved] {
  /// Returns the reason for an undecided answer, completed with the reason why the object could not
  /// be inspected.
  ///
  /// - Parameter reason: The reason from the decision, which ends with the path of the object.
  /// - Returns: The completed clause, such as `…: /home (Input/output error)`, or `reason` itself
  ///   if the array has no entry for the object.
  package func completing(_ reason: String) -> String {
    let layer = Node.Element.status.rawValue
    let unseen = first { unobserved in
      unobserved.layer == layer && unobserved.at.map { reason.hasSuffix(": \($0)") } ?? false
    }
    return unseen.map { "\(reason) (\($0.reason))" } ?? reason
  }
}

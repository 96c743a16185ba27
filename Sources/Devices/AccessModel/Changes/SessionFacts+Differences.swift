extension SessionFacts {
  /// Returns the change to the session as a clause; `nil` if there is none.
  func changeText(since before: SessionFacts) -> String? {
    guard let id else { return before.id == nil ? nil : "the session ended" }
    let state = isActive ? "active" : "inactive"
    guard before.id == id else {
      return before.id == nil
        ? "a session began, which is \(state)" : "it is session \(id) now, which is \(state)"
    }
    if isActive != before.isActive { return "the session became \(state)" }
    guard seat != before.seat else { return nil }
    return seat.map { "the session is on \($0) now" } ?? "the session is on no seat any more"
  }
}

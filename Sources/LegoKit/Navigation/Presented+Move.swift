extension Presented {
  /// A change of what is shown, as a value.
  public enum Move: Equatable, Sendable {
    /// Shows a screen, unless one with its id is shown.
    case present(Screen)
    /// Takes the screen over all others away.
    case dismiss
    /// Takes the screen with an id away, and those over it.
    case close(Screen.ID)
    /// Takes all screens away.
    case dismissAll
  }

  /// Changes what is shown by a move; one that names a screen which is not there changes nothing.
  ///
  /// - Returns: Whether the move could be made.
  @discardableResult
  public mutating func apply(_ move: Move) -> Bool {
    switch move {
    case .present(let screen): return present(screen)
    case .dismiss: return dismiss() != nil
    case .close(let id): return dismiss(id)
    case .dismissAll: dismissAll()
    }
    return true
  }
}

extension Presented.Move: Encodable where Screen: Encodable, Screen.ID: Encodable {}
extension Presented.Move: Decodable where Screen: Decodable, Screen.ID: Decodable {}

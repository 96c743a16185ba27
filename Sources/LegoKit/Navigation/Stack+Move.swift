extension Stack {
  /// A change of a path, as a value.
  public enum Move: Equatable, Sendable {
    /// Opens a screen, unless one with its id is on the path.
    case push(Screen)
    /// Closes the screen on top.
    case pop
    /// Closes all screens.
    case popToRoot
    /// Closes all screens above the one with an id.
    case popTo(Screen.ID)
    /// Closes the screen with an id, and those above it.
    case close(Screen.ID)
    /// Puts a screen in the place of the one on top.
    case replace(Screen)
    /// Makes the path one of these screens.
    case set([Screen])
  }

  /// Changes the path by a move; one that names a screen which is not there changes nothing.
  ///
  /// - Returns: Whether the move could be made.
  @discardableResult
  public mutating func apply(_ move: Move) -> Bool {
    switch move {
    case .push(let screen): return push(screen)
    case .pop: return pop() != nil
    case .popToRoot: popToRoot()
    case .popTo(let id): return pop(to: id)
    case .close(let id): return close(id)
    case .replace(let screen): return replace(with: screen)
    case .set(let screens): set(screens)
    }
    return true
  }
}

extension Stack.Move: Encodable where Screen: Encodable, Screen.ID: Encodable {}
extension Stack.Move: Decodable where Screen: Decodable, Screen.ID: Decodable {}

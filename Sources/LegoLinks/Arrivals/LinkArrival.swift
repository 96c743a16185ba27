/// A link that came from outside of the program, or a wish to see the program.
public struct LinkArrival: Hashable, Sendable {
  /// Where it came from.
  public enum Origin: String, Hashable, Sendable, CustomStringConvertible {
    /// An argument of the program.
    case arguments
    /// The desktop or another program, by the user's bus.
    case bus
    /// A notification of this program.
    case notification

    /// The origin as a word.
    public var description: String { rawValue }
  }

  /// The link as it came, or `nil` when the program was only asked to show itself.
  ///
  /// Anybody may have chosen it.
  public let link: String?
  /// Where it came from.
  public let origin: Origin
  /// What a window shows to the compositor to get the focus (`XDG_ACTIVATION_TOKEN`), or the ID of
  /// a start on X11.
  public let activationToken: String?

  /// Creates an arrival, such as a test's.
  ///
  /// - Parameters:
  ///   - link: The link; `nil` for a wish to see the program.
  ///   - origin: Where it came from.
  ///   - activationToken: What a window needs to get the focus.
  public init(_ link: String?, origin: Origin = .arguments, activationToken: String? = nil) {
    self.link = link
    self.origin = origin
    self.activationToken = activationToken
  }
}

/// What a desktop shows for a while, and the links that a person opens with it.
public struct LinkNotification: Hashable, Sendable {
  /// A button.
  public struct Button: Hashable, Sendable {
    /// The text on it.
    public var label: String
    /// The link that it opens.
    public var link: String

    /// Creates a button.
    public init(_ label: String, link: String) {
      self.label = label
      self.link = link
    }
  }

  /// Where the links of a shown notification arrive.
  public enum Reach: Hashable, Sendable {
    /// In the program that runs then; if none does, the desktop starts it.
    case always
    /// In this process, for as long as it runs.
    case whileRunning
  }

  /// Its name within the program: another one with the same name takes its place.
  public var id: String
  /// One line of plain text.
  public var title: String
  /// More plain text.
  public var body: String
  /// The name of an icon in the user's theme; empty for that of the program.
  public var icon: String
  /// The link that it opens itself; `nil` to show the program.
  public var link: String?
  /// Its buttons.
  public var buttons: [Button]

  /// Creates a notification.
  ///
  /// - Parameters:
  ///   - id: Its name within the program.
  ///   - title: One line of plain text.
  ///   - body: More plain text.
  ///   - icon: The name of an icon in the user's theme; empty for that of the program.
  ///   - link: The link that it opens itself; `nil` to show the program.
  ///   - buttons: Its buttons.
  public init(
    _ id: String, title: String, body: String = "", icon: String = "", link: String? = nil,
    buttons: [Button] = []
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.icon = icon
    self.link = link
    self.buttons = buttons
  }
}

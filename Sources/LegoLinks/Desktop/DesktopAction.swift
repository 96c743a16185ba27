/// An entry in the menu of a program's icon, which opens a link.
public struct DesktopAction: Hashable, Sendable {
  /// Its name: letters, digits and `-`.
  public var name: String
  /// The text in the menu.
  public var title: String
  /// The link that it opens.
  public var link: String

  /// Creates an action.
  ///
  /// - Parameters:
  ///   - name: Its name: letters, digits and `-`.
  ///   - title: The text in the menu.
  ///   - link: The link that it opens.
  public init(_ name: String, title: String, link: String) {
    self.name = name
    self.title = title
    self.link = link
  }
}

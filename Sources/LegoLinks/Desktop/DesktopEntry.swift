/// The two files by which a desktop knows a program, its links and how the bus starts it.
///
/// ```swift
/// let entry = try DesktopEntry(
///   "org.example.Photos", title: "Photos", program: "/usr/bin/photos", schemes: ["photos"])
/// print(entry.text)
/// ```
public struct DesktopEntry: Hashable, Sendable {
  /// The name of the program on the bus, and of both files.
  public let name: String
  /// The entries in the menu of its icon.
  public let actions: [DesktopAction]
  /// The name of the program for people.
  let title: String
  let comment: String
  let icon: String
  let schemes: [LinkScheme]
  /// The program and the arguments that it always gets.
  let command: [String]
  let isListed: Bool

  /// Describes a program.
  ///
  /// - Parameters:
  ///   - name: Its name on the bus, such as `org.example.Photos`.
  ///   - title: Its name for people.
  ///   - program: The absolute path of the program.
  ///   - arguments: Arguments that it always gets.
  ///   - schemes: What its links begin with.
  ///   - comment: What it does, in a few words.
  ///   - icon: The name of its icon.
  ///   - actions: The entries in the menu of its icon.
  ///   - isListed: Whether menus list it; a program without a window may only wait for links.
  /// - Throws: ``DesktopApplicationError/Code/badName``, ``DesktopApplicationError/Code/badScheme``, or
  ///   ``DesktopApplicationError/Code/badEntry`` for a path or an argument that no such file can hold.
  public init(
    _ name: String, title: String, program: String, arguments: [String] = [], schemes: [String],
    comment: String = "", icon: String = "", actions: [DesktopAction] = [], isListed: Bool = true
  ) throws(DesktopApplicationError) {
    self.name = try BusName(name).text
    var known: [LinkScheme] = []
    for scheme in schemes { known.append(try LinkScheme(scheme)) }
    self.schemes = known
    guard program.hasPrefix("/"), !program.utf8.contains(UInt8(ascii: "=")) else {
      throw DesktopApplicationError(
        .badEntry, program, "the path of a program is absolute and has no equals sign")
    }
    for word in [program] + arguments where word.unicodeScalars.contains(where: \.isControl) {
      throw DesktopApplicationError(.badEntry, word, "a command has no control characters")
    }
    for action in actions {
      guard !action.name.isEmpty, action.name != LinkAction.name,
        action.name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D })
      else {
        throw DesktopApplicationError(
          .badEntry, action.name,
          "the name of an action has letters, digits and -, and is not \(LinkAction.name)")
      }
      guard !action.link.unicodeScalars.contains(where: \.isControl) else {
        throw DesktopApplicationError(.badEntry, action.link, "a link has no control characters")
      }
    }
    command = [program] + arguments
    self.title = title
    self.comment = comment
    self.icon = icon
    self.actions = actions
    self.isListed = isListed
  }

  /// The links of the actions by their names, as ``DesktopApplication`` takes them.
  public var actionLinks: [String: String] {
    Dictionary(actions.map { ($0.name, $0.link) }, uniquingKeysWith: { first, _ in first })
  }

  /// The file `NAME.desktop`, of the Desktop Entry Specification.
  public var text: String {
    var lines = [
      "[Desktop Entry]", "Type=Application", "Name=\(DesktopText.value(title))",
    ]
    if !comment.isEmpty { lines.append("Comment=\(DesktopText.value(comment))") }
    if !icon.isEmpty { lines.append("Icon=\(DesktopText.value(icon))") }
    // The command is for desktops that do not start programs by the bus.
    lines.append("Exec=\(DesktopText.command(command)) %U")
    lines.append("DBusActivatable=true")
    if !isListed { lines.append("NoDisplay=true") }
    if !schemes.isEmpty {
      let types = schemes.map { "x-scheme-handler/\($0.text);" }.joined()
      lines.append("MimeType=\(types)")
    }
    if !actions.isEmpty {
      lines.append("Actions=\(actions.map { "\($0.name);" }.joined())")
    }
    for action in actions {
      lines += [
        "", "[Desktop Action \(action.name)]", "Name=\(DesktopText.value(action.title))",
        "Exec=\(DesktopText.command(command + [action.link]))",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The file `NAME.service`, by which the bus starts the program.
  public var serviceText: String {
    """
    [D-BUS Service]
    Name=\(name)
    Exec=\(DesktopText.command(command + [LinkArguments.service], hasFields: false))

    """
  }
}

extension Unicode.Scalar {
  /// Whether it would end a line of a file, or the text.
  fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }
}

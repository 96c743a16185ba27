internal import Glibc

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
  let actions: [DesktopAction]
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
      guard !action.name.isEmpty, action.name != ApplicationRequest.openLink,
        action.name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D })
      else {
        throw DesktopApplicationError(
          .badEntry, action.name,
          "the name of an action has letters, digits and -, and is not \(ApplicationRequest.openLink)"
        )
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

extension DesktopEntry {
  /// Writes both files for this user: `applications/NAME.desktop` and `dbus-1/services/NAME.service`.
  ///
  /// Each is written beside its place and then renamed, so that nobody reads half of it. The bus may
  /// have to look again: `busctl --user call org.freedesktop.DBus / org.freedesktop.DBus
  /// ReloadConfig`. `xdg-mime default NAME.desktop x-scheme-handler/SCHEME` makes the program the
  /// one for its links where there are several.
  ///
  /// - Parameter directory: The directory of data; `nil` for `$XDG_DATA_HOME`, or `~/.local/share`
  ///   without it.
  /// - Returns: The paths of the files.
  /// - Throws: ``DesktopApplicationError/Code/notWritten``.
  @discardableResult
  public func write(to directory: String? = nil) throws(DesktopApplicationError) -> [String] {
    guard let directory else { return try write(to: try Self.dataHome()) }
    return [
      try Self.write(text, "\(name).desktop", to: "\(directory)/applications"),
      try Self.write(serviceText, "\(name).service", to: "\(directory)/dbus-1/services"),
    ]
  }

  private static func dataHome() throws(DesktopApplicationError) -> String {
    // A relative path is to be ignored (XDG Base Directory Specification).
    if let home = Environment.text("XDG_DATA_HOME"), home.hasPrefix("/") { return home }
    guard let home = Environment.text("HOME"), home.hasPrefix("/") else {
      throw DesktopApplicationError(.notWritten, "~/.local/share", "no home directory is known")
    }
    return "\(home)/.local/share"
  }

  private static func write(
    _ text: String, _ name: String, to directory: String
  ) throws(DesktopApplicationError) -> String {
    try makeDirectory(directory)
    let place = "\(directory)/\(name)"
    let temporary = "\(directory)/.\(name).\(getpid())"
    _ = unsafe unlink(temporary)
    let file = unsafe open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o644))
    guard file >= 0 else { throw failure(temporary) }
    var bytes = Array(text.utf8)[...]
    var error: DesktopApplicationError?
    while !bytes.isEmpty, error == nil {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno != EINTR { error = failure(temporary) }
      bytes = bytes.dropFirst(max(0, count))
    }
    if close(file) != 0, error == nil { error = failure(temporary) }
    if error == nil, unsafe rename(temporary, place) != 0 { error = failure(place) }
    if let error {
      _ = unsafe unlink(temporary)
      throw error
    }
    return place
  }

  /// Makes a directory and those above it, for this user alone.
  private static func makeDirectory(_ path: String) throws(DesktopApplicationError) {
    var current = ""
    for part in path.split(separator: "/") {
      current += "/\(part)"
      if unsafe mkdir(current, 0o700) != 0, errno != EEXIST { throw failure(current) }
    }
  }

  private static func failure(_ path: String) -> DesktopApplicationError {
    DesktopApplicationError(.notWritten, path, unsafe String(cString: strerror(errno)))
  }
}

/// Writes the values of desktop entries and of service files of the bus.
enum DesktopText {
  /// A text as the value of a key.
  static func value(_ text: String) -> String {
    var value = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": value += #"\\"#
      case "\n": value += #"\n"#
      case "\t": value += #"\t"#
      case "\r": value += #"\r"#
      // Blanks at the beginning would be skipped.
      case " " where value.isEmpty: value += #"\s"#
      default:
        // Other control characters have no place in such a file.
        if scalar.value >= 0x20, scalar.value != 0x7F { value.unicodeScalars.append(scalar) }
      }
    }
    return value
  }

  /// A command as the value of a key.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - hasFields: Whether a percent sign begins a field.
  /// - Returns: The value.
  static func command(_ words: [String], hasFields: Bool = true) -> String {
    value(words.map { quoted($0, hasFields) }.joined(separator: " "))
  }

  /// A word as the specification and a shell quote it.
  private static func quoted(_ word: String, _ hasFields: Bool) -> String {
    let isPlain = word.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+-./:_%".utf8.contains($0)
    }
    // By scalars: a mark that follows a quote makes one character of both.
    let escaped = word.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "`", "$", "\\": result += "\\"
      case "%" where hasFields: result += "%"
      default: break
      }
      result.unicodeScalars.append(scalar)
    }
    return isPlain && !word.isEmpty ? escaped : "\"\(escaped)\""
  }
}

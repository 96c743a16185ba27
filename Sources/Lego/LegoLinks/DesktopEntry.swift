internal import Glibc

/// The two files that register an application and its links with the desktop.
///
/// They also allow the bus to start the application.
///
/// ```swift
/// let entry = try DesktopEntry(
///   "org.example.Photos", title: "Photos", program: "/usr/bin/photos", schemes: ["photos"])
/// print(entry.text)
/// ```
public struct DesktopEntry: Hashable, Sendable {
  /// The name on the bus, which is also the name of both files.
  public let name: String
  /// The actions in the menu of the application's icon.
  let actions: [DesktopAction]
  /// The displayed name.
  let title: String
  let comment: String
  let icon: String
  let schemes: [LinkScheme]
  /// The program and its fixed arguments.
  let command: [String]
  let isListed: Bool

  /// Creates a desktop entry.
  ///
  /// - Parameters:
  ///   - name: The name on the bus, such as `org.example.Photos`.
  ///   - title: The displayed name.
  ///   - program: The absolute path of the program.
  ///   - arguments: Arguments that are always passed to the program.
  ///   - schemes: The schemes of the links, without the colon.
  ///   - comment: A short description.
  ///   - icon: The name of the icon.
  ///   - actions: The actions in the menu of the application's icon.
  ///   - isListed: Pass `false` to hide the entry from menus, for example if the program has no
  ///     window and only waits for links.
  /// - Throws: A ``DesktopApplicationError``. The code is ``DesktopApplicationError/Code/badName``,
  ///   ``DesktopApplicationError/Code/badScheme``, or ``DesktopApplicationError/Code/badEntry`` if
  ///   a desktop entry cannot contain the path, an argument or an action.
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
        .badEntry, program,
        "the path of a program must be absolute and must not contain an equals sign")
    }
    for word in [program] + arguments where word.unicodeScalars.contains(where: \.isControl) {
      throw DesktopApplicationError(
        .badEntry, word, "a command must not contain control characters")
    }
    for action in actions {
      guard !action.name.isEmpty, action.name != ApplicationRequest.openLink,
        action.name.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x2D })
      else {
        throw DesktopApplicationError(
          .badEntry, action.name,
          "the name of an action must consist of letters, digits and -, and not be \(ApplicationRequest.openLink)"
        )
      }
      guard !action.link.unicodeScalars.contains(where: \.isControl) else {
        throw DesktopApplicationError(
          .badEntry, action.link, "a link must not contain control characters")
      }
    }
    command = [program] + arguments
    self.title = title
    self.comment = comment
    self.icon = icon
    self.actions = actions
    self.isListed = isListed
  }

  /// The links of the actions, keyed by action name, for the initializer of ``DesktopApplication``.
  public var actionLinks: [String: String] {
    Dictionary(actions.map { ($0.name, $0.link) }, uniquingKeysWith: { first, _ in first })
  }

  /// The content of `NAME.desktop` (Desktop Entry Specification).
  public var text: String {
    var lines = [
      "[Desktop Entry]", "Type=Application", "Name=\(DesktopText.value(title))",
    ]
    if !comment.isEmpty { lines.append("Comment=\(DesktopText.value(comment))") }
    if !icon.isEmpty { lines.append("Icon=\(DesktopText.value(icon))") }
    // Desktops that do not start programs through the bus run this command.
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

  /// The content of `NAME.service`, the D-Bus service file that starts the program.
  public var serviceText: String {
    """
    [D-BUS Service]
    Name=\(name)
    Exec=\(DesktopText.command(command + [LinkArguments.service], hasFields: false))

    """
  }
}

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the scalar is an ASCII control character, such as a
  /// line break.
  fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }
}

/// An action that opens a link from the menu of an application's icon.
public struct DesktopAction: Hashable, Sendable {
  /// The name, which consists of ASCII letters, digits and hyphens.
  public var name: String
  /// The text in the menu.
  public var title: String
  /// The link to open.
  public var link: String

  /// Creates an action.
  ///
  /// - Parameters:
  ///   - name: The name, which consists of ASCII letters, digits and hyphens.
  ///   - title: The text in the menu.
  ///   - link: The link to open.
  public init(_ name: String, title: String, link: String) {
    self.name = name
    self.title = title
    self.link = link
  }
}

extension DesktopEntry {
  /// Writes both files to a data directory: `applications/NAME.desktop` and
  /// `dbus-1/services/NAME.service`.
  ///
  /// Each file is written under a temporary name and then renamed, so readers never see a partial
  /// file.
  ///
  /// The bus may have to reload its configuration: `busctl --user call org.freedesktop.DBus /
  /// org.freedesktop.DBus ReloadConfig`. If several programs handle a scheme, make this program the
  /// default with `xdg-mime default NAME.desktop x-scheme-handler/SCHEME`.
  ///
  /// - Parameter directory: The absolute path of the data directory, or `nil` to use
  ///   `$XDG_DATA_HOME` or, if that is not an absolute path, `~/.local/share`.
  /// - Returns: The paths of the files.
  /// - Throws: A ``DesktopApplicationError`` with the code
  ///   ``DesktopApplicationError/Code/notWritten``.
  @discardableResult
  public func write(to directory: String? = nil) throws(DesktopApplicationError) -> [String] {
    guard let directory else { return try write(to: try Self.dataHome()) }
    return [
      try Self.write(text, "\(name).desktop", to: "\(directory)/applications"),
      try Self.write(serviceText, "\(name).service", to: "\(directory)/dbus-1/services"),
    ]
  }

  private static func dataHome() throws(DesktopApplicationError) -> String {
    // The XDG Base Directory Specification requires that relative paths be ignored.
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

  /// Creates a directory and its missing parents, with access for this user only.
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

/// Escapes values for desktop entries and D-Bus service files.
enum DesktopText {
  /// Escapes the value of a key.
  static func value(_ text: String) -> String {
    var value = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": value += #"\\"#
      case "\n": value += #"\n"#
      case "\t": value += #"\t"#
      case "\r": value += #"\r"#
      // A leading space would otherwise be ignored.
      case " " where value.isEmpty: value += #"\s"#
      default:
        // Other control characters are not allowed, so they are omitted.
        if scalar.value >= 0x20, scalar.value != 0x7F { value.unicodeScalars.append(scalar) }
      }
    }
    return value
  }

  /// Quotes and escapes a command as the value of a key.
  ///
  /// - Parameters:
  ///   - words: The program and its arguments.
  ///   - hasFields: Pass `true` to escape percent signs, which begin field codes in a desktop
  ///     entry.
  /// - Returns: The value.
  static func command(_ words: [String], hasFields: Bool = true) -> String {
    value(words.map { quoted($0, hasFields) }.joined(separator: " "))
  }

  /// Quotes a word, if necessary, in a way that both desktop entries and D-Bus service files
  /// support.
  private static func quoted(_ word: String, _ hasFields: Bool) -> String {
    let isPlain = word.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "+-./:_%".utf8.contains($0)
    }
    // The loop iterates over scalars, because a quotation mark followed by a combining mark is a
    // single character.
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

internal import Glibc

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

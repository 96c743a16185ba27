internal import Glibc

/// Where programs keep their state.
public struct StateDirectory: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case standard(program: String?)
    case path(String)
  }

  let place: Place

  /// The standard directory of this program.
  ///
  /// It is a directory named for the program in the first of `$STATE_DIRECTORY`, which systemd sets
  /// for a unit with `StateDirectory=`; else in `$XDG_STATE_HOME`, if that is an absolute path;
  /// else in `~/.local/state`. A program that runs with other rights than those of the user who started
  /// it (set-user-ID, file capabilities) does not look at the environment.
  public static let standard = StateDirectory(place: .standard(program: nil))

  /// The standard directory of a program.
  ///
  /// - Parameter program: The name of the directory in place of that of the executable.
  /// - Returns: The directory.
  public static func standard(program: String) -> StateDirectory {
    StateDirectory(place: .standard(program: program))
  }

  /// A directory by its absolute path, which is made if it is missing.
  ///
  /// One that is there must belong to the user, and nobody else may write to it.
  public static func path(_ path: String) -> StateDirectory {
    StateDirectory(place: .path(path))
  }

  /// The path of the directory, or `nil` when none is known.
  package func path(in surroundings: Surroundings) -> String? {
    switch place {
    case .path(let path):
      return path.hasPrefix("/") ? path : nil
    case .standard(let program):
      guard let name = program ?? surroundings.program, FileName.isPlain(name),
        let base = Self.base(in: surroundings)
      else { return nil }
      return base + "/" + name
    }
  }

  private static func base(in surroundings: Surroundings) -> String? {
    if let list = surroundings.environment("STATE_DIRECTORY") {
      let first = list.prefix { $0 != ":" }
      if first.hasPrefix("/") { return String(first) }
    }
    if let path = surroundings.environment("XDG_STATE_HOME"), path.hasPrefix("/") { return path }
    let home = surroundings.environment("HOME") ?? surroundings.home
    guard let home, home.hasPrefix("/") else { return nil }
    return home + "/.local/state"
  }
}

internal import AccessModel

/// What the process tells its parent, documented in devaccess(1).
public enum ExitStatus: Int32, Hashable, Sendable {
  /// All that was asked for is allowed, or the command did its work.
  case allowed = 0
  /// The access that was asked for is refused.
  case refused = 1
  /// The facts do not suffice to tell, or the kernel contradicts the model.
  case undetermined = 2
  /// There is no such device or path.
  case absent = 3
  /// The arguments or the input were wrong (`EX_USAGE`).
  case usage = 64
  /// The program failed (`EX_SOFTWARE`).
  case internalError = 70
  /// The command after `--` cannot be run.
  case notExecutable = 126
  /// There is no command of the name after `--`.
  case notFound = 127
}

extension ExitStatus {
  /// The exit status that tells an answer.
  init(_ answer: Answer) {
    switch answer {
    case .allowed: self = .allowed
    case .refused: self = .refused
    case .undetermined: self = .undetermined
    case .absent: self = .absent
    }
  }
}

extension ExitStatus: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    left.rawValue < right.rawValue
  }
}

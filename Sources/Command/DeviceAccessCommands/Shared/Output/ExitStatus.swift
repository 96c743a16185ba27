internal import AccessModel

/// The exit status of the process, as documented in devaccess(1).
public enum ExitStatus: Int32, Hashable, Sendable {
  /// All requested access is allowed, or the command succeeded.
  case allowed = 0
  /// The requested access is refused.
  case refused = 1
  /// The facts are insufficient, or the kernel contradicts the model.
  case undetermined = 2
  /// The device or path does not exist.
  case absent = 3
  /// The arguments or the input are invalid (`EX_USAGE`).
  case usage = 64
  /// An internal error occurred (`EX_SOFTWARE`).
  case internalError = 70
  /// The program after `--` cannot be run.
  case notExecutable = 126
  /// The program after `--` does not exist.
  case notFound = 127
}

extension ExitStatus {
  /// Creates the exit status for an answer.
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

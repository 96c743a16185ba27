public import AccessModel
public import LinuxDevices

/// The limited album: the files that a person chose for this program.
public struct AlbumSelection: Hashable, Sendable {
  /// The request.
  public var request: AlbumSelectionRequest
  /// How the dialog ended; `granted` where the person chose, whatever came of the files.
  public var outcome: AccessTrial.Outcome
  /// Why nothing was chosen or nothing can be read, as one sentence; it may hold untrusted text.
  public var reason: String?
  /// The files that were chosen, each once and in the order of the portal, with those that cannot be
  /// read.
  public var files: [SelectedFile]
  /// What was chosen and is not the path of a file.
  public var unusable: [UnusableURI]
  /// Whether these are all; false where more than 1000 were chosen.
  public var isComplete: Bool

  /// A selection without files.
  init(_ request: AlbumSelectionRequest, _ outcome: AccessTrial.Outcome, reason: String?) {
    self.request = request
    self.outcome = outcome
    self.reason = reason
    files = []
    unusable = []
    isComplete = true
  }

  /// The files that can be read.
  public var readable: [SelectedFile] { files.filter(\.isReadable) }

  /// Whether there is a file to read: refused also where the person chose none.
  public var answer: Answer {
    switch outcome {
    case .granted: files.contains(where: \.isReadable) ? .allowed : .refused
    case .refused, .forbidden: .refused
    case .unavailable: .absent
    case .timedOut, .cancelled, .withheld, .failed: .undetermined
    }
  }

  /// How the album stands by this selection alone: `limited` with a file to read, `notDetermined` where
  /// the person chose nothing and can be asked again, `denied` where nothing that was chosen can be
  /// read.
  public var status: PermissionStatus {
    switch outcome {
    case .granted where answer == .allowed: .limited
    case .granted: files.isEmpty && unusable.isEmpty ? .notDetermined : .denied
    case .refused: .notDetermined
    case .forbidden: .restricted
    case .unavailable: .absent
    case .timedOut, .cancelled, .withheld, .failed: .unknown
    }
  }
}

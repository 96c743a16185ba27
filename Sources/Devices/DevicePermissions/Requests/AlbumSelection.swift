public import AccessModel
public import LinuxDevices

/// The limited album, which consists of the files that the user chose for this program.
public struct AlbumSelection: Hashable, Sendable {
  /// The request.
  public var request: AlbumSelectionRequest
  /// The outcome of the dialog; `granted` if the user confirmed it, even if no file can be read.
  public var outcome: AccessTrial.Outcome
  /// The reason why nothing was chosen or can be read, as one sentence; it may contain untrusted
  /// text.
  public var reason: String?
  /// The chosen files without duplicates, in the order of the portal, including those that cannot
  /// be read.
  public var files: [SelectedFile]
  /// The chosen URIs that do not contain a file path.
  public var unusable: [UnusableURI]
  /// A Boolean value that indicates whether all chosen files are included; `false` if there were
  /// more than 1000.
  public var isComplete: Bool

  /// Creates a selection without files.
  init(_ request: AlbumSelectionRequest, _ outcome: AccessTrial.Outcome, reason: String?) {
    self.request = request
    self.outcome = outcome
    self.reason = reason
    files = []
    unusable = []
    isComplete = true
  }

  /// The chosen files that can be read.
  public var readable: [SelectedFile] { files.filter(\.isReadable) }

  /// The answer: `allowed` if there is a file to read, and `refused` if the user chose none.
  public var answer: Answer {
    switch outcome {
    case .granted: files.contains(where: \.isReadable) ? .allowed : .refused
    case .refused, .forbidden: .refused
    case .unavailable: .absent
    case .timedOut, .cancelled, .withheld, .failed: .undetermined
    }
  }

  /// The status of the album, judged only by this selection.
  ///
  /// The status is `limited` if a file can be read, `denied` if none of the chosen files can be
  /// read, and `notDetermined` if the user chose nothing and can be asked again.
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

/// The options of the dialog in which the user chooses files of the album.
///
/// Without a folder, the dialog first shows the pictures directory.
public typealias AlbumSelectionRequest = PortalFileRequest

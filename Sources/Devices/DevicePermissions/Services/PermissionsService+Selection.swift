public import AccessModel
public import LinuxDevices

extension PermissionsService {
  /// Asks the user to choose files for the limited album, in a dialog of the desktop.
  ///
  /// The file chooser portal (`org.freedesktop.portal.FileChooser`), which the message bus may
  /// start, shows the dialog, with images first. The service stores nothing, and asks again for
  /// each request. The user may choose files outside the pictures directory, and files that this
  /// program may not read. The service holds each file without opening it (`O_PATH | O_NOFOLLOW`),
  /// and asks the kernel what this process may do with it. In a sandbox, the document portal shows
  /// the files at other paths, such as `/run/user/1000/doc/ID/NAME`; the result has the paths that
  /// the portal reports.
  ///
  /// The call does not change the status of the album. It ends within the timeout of the request
  /// plus about a minute for programs that must be started, or when the task is cancelled. In both
  /// cases, it closes an open dialog.
  ///
  /// - Parameter request: The options of the dialog.
  /// - Returns: The files, or the reason why there are none. A user who chooses nothing is not an
  ///   error.
  @concurrent
  public func requestAlbumSelection(
    _ request: AlbumSelectionRequest = AlbumSelectionRequest()
  ) async -> AlbumSelection {
    func ended(_ outcome: AccessTrial.Outcome, _ reason: String?) -> AlbumSelection {
      AlbumSelection(request, outcome, reason: reason)
    }
    guard let portal = machine.filePortal else {
      return ended(.unavailable, "There is no file chooser portal.")
    }
    let reply = await portal.choose(
      PortalFileRequest(
        title: request.title, acceptLabel: request.acceptLabel,
        folder: request.folder ?? albumFolder, application: request.application,
        timeout: request.timeout))
    switch reply.outcome {
    case .granted: return selection(request, reply)
    case .refused: return ended(.refused, "No file was chosen: the dialog was cancelled.")
    case .interrupted: return ended(.refused, "The dialog ended without an answer.")
    case .forbidden, .withheld:
      return ended(.forbidden, "The desktop settings forbid it.")
    case .absent(let reason):
      return ended(.unavailable, "There is no file chooser portal: \(reason).")
    case .timedOut: return ended(.timedOut, "The dialog timed out without an answer.")
    case .cancelled: return ended(.cancelled, nil)
    case .failed(let reason): return ended(.failed, "The portal failed: \(reason).")
    }
  }

  /// Opens a file of a selection, if the kernel still allows it.
  ///
  /// Only a regular file is ever opened, even if the chosen file was replaced. The call blocks on
  /// the filesystem.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `absent` if the file no longer exists, `wrongObject` if it is not a regular file
  ///   (for example, a symbolic link), `refused`, and `failed` otherwise.
  /// - Returns: The open file, which closes on execve(2).
  public func open(
    _ file: SelectedFile, for wanted: Permissions = .read
  ) throws(AlbumError) -> DeviceDescriptor {
    try machine.openSelectedFile(at: file.path, for: wanted)
  }

  /// The pictures directory, where the dialog starts; `nil` if it is unknown.
  private var albumFolder: String? {
    (try? machine.facts(for: AlbumAccessLevel.readWrite.question))?.album?.path
  }

  private func selection(
    _ request: AlbumSelectionRequest, _ reply: PortalFileReply
  ) -> AlbumSelection {
    var selection = AlbumSelection(request, .granted, reason: nil)
    selection.files = reply.paths.map { machine.selectedFile(at: $0) }
    selection.unusable = reply.unusable
    selection.isComplete = reply.isComplete
    if selection.answer != .allowed {
      selection.reason =
        selection.files.isEmpty && selection.unusable.isEmpty
        ? "No file was chosen." : "None of the chosen files can be read."
    }
    return selection
  }
}

public import AccessModel
public import LinuxDevices

extension PermissionsService {
  /// Has a person choose files of the album in a dialog of the desktop: the limited album.
  ///
  /// The dialog is that of the portal of files (`org.freedesktop.portal.FileChooser`), which the message
  /// bus may start; nothing is stored, and each request asks anew. It shows images first. The person may
  /// choose files anywhere, not only in the pictures directory, and one that this program may not read:
  /// each is held without being opened (`O_PATH | O_NOFOLLOW`), and the kernel is asked what this process
  /// may do with it. In a sandbox the portal of documents shows the files elsewhere, such as
  /// `/run/user/1000/doc/ID/NAME`; the paths are those that the portal tells.
  ///
  /// The status of the album is not changed by it. The call ends within the timeout of the request and
  /// about a minute for programs that have to be started, and with the task; both take an open dialog
  /// back.
  ///
  /// - Parameter request: What to ask for.
  /// - Returns: The files; without one, why. That a person chooses nothing is an answer, not an error.
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

  /// Opens a file of a selection; the kernel decides anew.
  ///
  /// Nothing but a regular file is ever opened, whatever took its place meanwhile. The call blocks on the
  /// filesystem.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `absent` where it is gone, `wrongObject` for what is not a regular file, such as a
  ///   symbolic link, `refused`, and `failed` otherwise.
  /// - Returns: The open file, which closes on execve(2).
  public func open(
    _ file: SelectedFile, for wanted: Permissions = .read
  ) throws(AlbumError) -> DeviceDescriptor {
    try machine.openSelectedFile(at: file.path, for: wanted)
  }

  /// The pictures directory; `nil` where there is none to begin with.
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

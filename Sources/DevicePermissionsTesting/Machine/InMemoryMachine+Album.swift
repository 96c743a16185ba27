public import AccessModel
internal import Glibc
public import LinuxDevices

extension InMemoryMachine {
  /// Answers as the running system would; what is added to the directory is kept nowhere.
  ///
  /// A missing directory is made only directly below an existing one of the subject's own, in its home
  /// directory.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    if makes { try makeAlbum(at: path) }
    guard type(of: path) == .directory else {
      throw AlbumError(.absent, at: path, "there is no such directory")
    }
    // One that was removed takes no file.
    var name = Array("/tmp/devaccess-album-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw AlbumError(.failed, at: path, "no directory can be made for it")
    }
    let directory = unsafe Glibc.open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    unsafe rmdir(name)
    guard directory >= 0 else {
      throw AlbumError(.failed, at: path, "no directory can be opened for it")
    }
    return DeviceDescriptor(adopting: directory)
  }

  /// The files that are described in the directory.
  public func albumContents(at path: String) -> AlbumContents? {
    guard let look = try? facts(for: Question(.path(path), purpose: .list)),
      look.explain().answer == .allowed
    else { return nil }
    var contents = AlbumContents(readable: [], unreadable: [])
    for name in files(in: path) {
      let file = try? facts(for: Question(.path("\(path)/\(name)"), wanted: .read))
      if file?.explain().answer == .allowed {
        contents.readable.append(name)
      } else {
        contents.unreadable.append(name)
      }
    }
    return contents
  }

  /// What the described file allows the subject, by the same engine that decides about everything else.
  public func selectedFile(at path: String) -> SelectedFile {
    func refused(_ reason: String) -> SelectedFile {
      SelectedFile(path: path, permissions: [], reason: reason)
    }
    switch description.nodes[path]?.type {
    case .regular: break
    case .symbolicLink: return refused("it is a symbolic link")
    case .directory: return refused("it is a directory")
    case nil: return refused("no such file or directory")
    default: return refused("it is not a file")
    }
    var file = SelectedFile(path: path, permissions: [])
    for wanted in [Permissions.read, .write] {
      let facts = try? facts(for: Question(.path(path), wanted: wanted))
      if facts?.explain().answer == .allowed { file.permissions.insert(wanted) }
    }
    if !file.isReadable { file.reason = "permission denied" }
    return file
  }

  /// Opens an empty file where the described one allows it; what is written is kept nowhere.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    let file = selectedFile(at: path)
    guard description.nodes[path] != nil else {
      throw AlbumError(.absent, at: path, "there is no such file")
    }
    guard description.nodes[path]?.type == .regular else {
      throw AlbumError(.wrongObject, at: path, file.reason ?? "it is not a file")
    }
    guard file.permissions.isSuperset(of: wanted) else {
      throw AlbumError(.refused, at: path, "permission denied")
    }
    var name = Array("/tmp/devaccess-file-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else {
      throw AlbumError(.failed, at: path, "no file can be made for it")
    }
    unsafe unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return DeviceDescriptor(adopting: descriptor)
  }

  private func files(in path: String) -> [String] {
    description.nodes.values.filter { $0.type == .regular && $0.path.hasPrefix(path + "/") }
      .map { String($0.path.dropFirst(path.count + 1)) }
      .filter { !$0.contains("/") && !$0.hasPrefix(".") }.sorted()
  }

  private func type(of path: String) -> FileType? {
    (try? facts(for: Question(.path(path))))?.access.object(at: path)?.type
  }

  private func makeAlbum(at path: String) throws(AlbumError) {
    var failure: AlbumError?
    change { machine in
      guard machine.nodes[path]?.type != .directory else { return }
      guard let user = machine.users[machine.subjectUser], path.hasPrefix(user.home + "/") else {
        failure = AlbumError(
          .foreignPlace, at: path, "it is not in your home directory, and so is not created")
        return
      }
      guard machine.nodes[path] == nil else {
        failure = AlbumError(.wrongObject, at: path, "it is not a directory")
        return
      }
      let parent = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
      guard machine.nodes[parent]?.uid == user.id else {
        failure = AlbumError(.refused, at: path, "the directory above is not yours")
        return
      }
      machine.addDirectory(path, mode: 0o700, owner: machine.subjectUser)
    }
    if let failure { throw failure }
  }
}

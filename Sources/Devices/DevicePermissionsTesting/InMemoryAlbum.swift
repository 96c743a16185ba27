public import AccessModel
internal import Glibc
public import LinuxDevices

/// A real directory that represents a described one while pictures are added to it.
///
/// It has an empty file for each described name, so a new picture gets the first free name. The
/// directory is removed with this object.
final class InMemoryAlbum {
  private let path: String
  private let owner: String
  /// The path of the real directory.
  private let folder: String
  /// The names in both the description and the directory.
  private var names: Set<String> = []
  /// The names of pictures that were added here.
  private var added: Set<String> = []

  /// Creates the directory.
  ///
  /// - Parameters:
  ///   - path: The canonical path of the described directory.
  ///   - owner: The user who owns the pictures.
  /// - Throws: `failed` if the directory cannot be created.
  init(at path: String, owner: String) throws(AlbumError) {
    var name = Array("/tmp/devaccess-album-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else {
      throw AlbumError(.failed, at: path, "no directory can be made for it")
    }
    folder = String(decoding: name.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    self.path = path
    self.owner = owner
  }

  deinit {
    for name in files() { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }

  /// Opens the directory so pictures can be added.
  ///
  /// - Throws: `failed` if no descriptor is free.
  /// - Returns: The directory.
  func open() throws(AlbumError) -> DeviceDescriptor {
    let directory = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else {
      throw AlbumError(.failed, at: path, "no directory can be opened for it")
    }
    return DeviceDescriptor(adopting: directory)
  }

  /// Opens a picture that was added.
  ///
  /// - Parameters:
  ///   - name: The name of the picture.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `failed` if no descriptor is free.
  /// - Returns: The open file; `nil` if no picture of that name was added.
  func openPicture(
    _ name: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor? {
    guard added.contains(name) else { return nil }
    let mode = wanted.contains(.write) ? wanted.contains(.read) ? O_RDWR : O_WRONLY : O_RDONLY
    let file = unsafe Glibc.open("\(folder)/\(name)", mode | O_CLOEXEC)
    guard file >= 0 else { throw AlbumError(.failed, at: path, "the picture cannot be opened") }
    return DeviceDescriptor(adopting: file)
  }

  /// Describes the pictures that were added since the last call.
  func describePictures(in machine: inout MachineDescription) {
    for name in files() where names.insert(name).inserted {
      added.insert(name)
      machine.addFile("\(path)/\(name)", owner: owner)
    }
  }

  /// Adds the described names, and removes those that are no longer described.
  func takeNames(of machine: MachineDescription) {
    let described = Set(machine.names(in: path))
    for name in names.subtracting(described) {
      unsafe unlink("\(folder)/\(name)")
      added.remove(name)
    }
    for name in described.subtracting(names) {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
      let file = unsafe Glibc.open("\(folder)/\(name)", flags, 0o600)
      if file >= 0 { close(file) }
    }
    names = described
  }

  /// Returns the names of the files in the real directory.
  private func files() -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

extension InMemoryMachine {
  /// Opens the album as the running system would.
  ///
  /// A missing directory is created only in the subject's home directory, directly below an
  /// existing directory that the subject owns. Each added picture becomes a described file with
  /// mode 0644. Its owner is the user who is the subject when the directory is first opened.
  /// Watchers of the machine are notified of the picture at the next ``change(_:)``.
  ///
  /// The pictures are kept in a temporary directory, which is removed with the machine. Once the
  /// directory is open, changing its mode does not prevent adding pictures.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    if makes { try makeAlbum(at: path) }
    guard let directory = directory(at: path) else {
      throw AlbumError(.absent, at: path, "there is no such directory")
    }
    return try openAlbumDirectory(at: directory)
  }

  /// Returns the described files in the directory.
  ///
  /// Only the first `AlbumContents.mostFiles` names in the directory are considered.
  public func albumContents(at path: String) -> AlbumContents? {
    let description = description
    let question = Question(.path(path), purpose: .list)
    guard let scan = try? Self.facts(for: question, on: description),
      scan.explain().answer == .allowed, let directory = scan.access.object(at: path)?.path
    else { return nil }
    let observation = DescribedObservation(description, origin: nil)
    let names = description.names(in: directory).sorted()
    let files = names.prefix(AlbumContents.mostFiles).filter { name in
      let file = "\(directory)/\(name)"
      guard description.nodes[file]?.type == .symbolicLink else {
        return description.nodes[file]?.type == .regular
      }
      var walker = observation
      return walker.walk(file)?.type == .regular
    }
    // Ask about all files together: each question prepares the whole machine.
    let checks = observation.kernelChecks(
      files.map { KernelQuestion("\(directory)/\($0)", [.read]) })
    var contents = AlbumContents(
      readable: [], unreadable: [], isComplete: names.count <= AlbumContents.mostFiles)
    for (name, check) in zip(files, checks) {
      switch check.errno {
      case .success: contents.readable.append(name)
      case .permissionDenied, .notPermitted: contents.unreadable.append(name)
      default: break
      }
    }
    return contents
  }

  /// Returns a described file, and the subject's access to it.
  ///
  /// The access is determined by the same decision engine as all other access.
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

  /// Opens an added picture, or an empty file for a described one, if the subject may open it.
  ///
  /// Data that is written to the empty file is discarded.
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
    if let picture = try openPicture(at: path, for: wanted) { return picture }
    var name = Array("/tmp/devaccess-file-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else {
      throw AlbumError(.failed, at: path, "no file can be made for it")
    }
    unsafe unlink(name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return DeviceDescriptor(adopting: descriptor)
  }

  /// Returns the canonical path of a directory; `nil` if the path does not lead to one.
  private func directory(at path: String) -> String? {
    let object = (try? facts(for: Question(.path(path))))?.access.object(at: path)
    return object?.type == .directory ? object?.path : nil
  }

  private func makeAlbum(at path: String) throws(AlbumError) {
    var failure: AlbumError?
    change { machine in
      guard machine.nodes[path]?.type != .directory else { return }
      guard let user = machine.users[machine.subjectUser], path.hasPrefix(user.home + "/") else {
        failure = AlbumError(
          .foreignPlace, at: path, "it is not in your home directory, so it is not created")
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

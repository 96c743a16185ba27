import Foundation

/// Writes files that do not exist yet: all of them, or none.
struct SourceWriter {
  let root: URL

  /// The path of a file, as people in the package say it.
  func path(of file: SourceFile) -> String { path(of: file.url) }

  /// Fails if a file exists, or cannot because of what stands where its folder belongs.
  func check(_ files: [SourceFile]) throws {
    for file in files {
      // Without following a link: one that leads nowhere is something that exists, too.
      if (try? FileManager.default.attributesOfItem(atPath: file.url.path)) != nil {
        throw ScaffoldError("\(path(of: file)) exists; nothing was written")
      }
      var isFolder: ObjCBool = false
      let folder = file.url.deletingLastPathComponent()
      if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        throw ScaffoldError("\(path(of: folder)) is not a folder; nothing was written")
      }
    }
  }

  /// Writes the files; if one cannot be written, what was written is removed.
  func write(_ files: [SourceFile]) throws {
    var made: [URL] = []
    do {
      for file in files {
        try makeFolder(file.url.deletingLastPathComponent(), &made)
        try write(file, &made)
      }
    } catch {
      // A folder in which somebody else has put something meanwhile is not empty, and stays.
      for url in made.reversed() { remove(url.path) }
      throw error
    }
  }

  private func makeFolder(_ folder: URL, _ made: inout [URL]) throws {
    if mkdir(folder.path, 0o777) == 0 {
      made.append(folder)
    } else if errno != EEXIST {
      throw failure(folder)
    }
  }

  private func write(_ file: SourceFile, _ made: inout [URL]) throws {
    // The check is some time ago: the kernel answers once more whether the file exists.
    let descriptor = open(file.url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(file.url) }
    made.append(file.url)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(file.text.utf8))
      try handle.close()
    } catch {
      let reason = error.localizedDescription
      throw ScaffoldError("cannot write \(path(of: file)): \(reason); nothing was written")
    }
  }

  private func failure(_ url: URL) -> ScaffoldError {
    let reason = String(cString: strerror(errno))
    return ScaffoldError("cannot write \(path(of: url)): \(reason); nothing was written")
  }

  private func path(of url: URL) -> String {
    let folder = root.path + "/"
    return url.path.hasPrefix(folder) ? String(url.path.dropFirst(folder.count)) : url.path
  }
}

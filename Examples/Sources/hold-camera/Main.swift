import Glibc

/// Holds the camera until it is taken back: `hold-camera`.
@main struct Main {
  static func main() async {
    exit(await Program(output: { print($0) }).run())
  }
}

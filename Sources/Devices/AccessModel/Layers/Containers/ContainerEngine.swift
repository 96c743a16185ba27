/// A program that starts other programs in a container or as a service.
///
/// Each engine has its own option names and configuration format.
public enum ContainerEngine: String, Hashable, Sendable, Codable, CaseIterable {
  /// Docker, with the options of docker-run(1).
  case docker
  /// Podman, with the options of podman-run(1).
  case podman
  /// A systemd unit, with the settings of systemd.exec(5) and systemd.resource-control(5).
  case systemd
  /// Kubernetes, with the lines of a pod manifest.
  case kubernetes
}

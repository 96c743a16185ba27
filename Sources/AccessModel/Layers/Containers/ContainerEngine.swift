/// What starts a program in a container or as a service, in words of its own.
public enum ContainerEngine: String, Hashable, Sendable, Codable, CaseIterable {
  /// Docker, with the options of docker-run(1).
  case docker
  /// Podman, with the options of podman-run(1).
  case podman
  /// A unit: systemd.exec(5) and systemd.resource-control(5).
  case systemd
  /// Kubernetes, with the lines of a pod's manifest.
  case kubernetes
}

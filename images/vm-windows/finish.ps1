# Drivers, a screen of fixed size, nothing that wakes up by itself, folders of the trials, and the guest agent last.
$ErrorActionPreference = 'Stop'
$drivers = Get-ChildItem E:\ -Recurse -Filter *.inf | Where-Object { $_.FullName -match '\\w10\\amd64\\' }
foreach ($driver in $drivers) { pnputil /add-driver $driver.FullName /install | Out-Null }
New-Item -ItemType Directory -Force C:\Users\agent\input, C:\Users\agent\output, C:\ale | Out-Null
icacls C:\Users\agent\output /grant 'agent:(OI)(CI)F' | Out-Null
powercfg /change monitor-timeout-ac 0
powercfg /change standby-timeout-ac 0
powercfg /hibernate off
foreach ($service in 'wuauserv', 'UsoSvc', 'WSearch', 'SysMain') {
  Set-Service $service -StartupType Disabled -ErrorAction SilentlyContinue
}
New-Item -Force 'HKLM:\SOFTWARE\Policies\Microsoft\Windows\Personalization' | Out-Null
Set-ItemProperty 'HKLM:\SOFTWARE\Policies\Microsoft\Windows\Personalization' NoLockScreen 1
# The basic display driver shows what the firmware has set: 1280 by 800, for every machine.
Set-ItemProperty 'HKLM:\SYSTEM\CurrentControlSet\Control\GraphicsDrivers' -Name DefaultResolution -Value '1280x800' -ErrorAction SilentlyContinue
[Environment]::SetEnvironmentVariable('PYTHONUTF8', '1', 'Machine')
$agent = Get-ChildItem E:\guest-agent -Filter 'qemu-ga-x86_64.msi' | Select-Object -First 1
Start-Process msiexec -ArgumentList '/i', ('"' + $agent.FullName + '"'), '/qn' -Wait

# Makes what has been installed a machine for trials: nothing that wakes up, asks or locks by itself, folders of the layout,
# and our program, which starts with the system. The home of the account `agent` is left to its first logon: Windows gives
# another name to the home of an account whose folder is there already.
$ErrorActionPreference = 'Stop'

function Set-Value($key, $name, $value, $kind = 'DWord') {
  if (-not (Test-Path $key)) { New-Item -Force $key | Out-Null }
  New-ItemProperty -Force -Path $key -Name $name -Value $value -PropertyType $kind | Out-Null
}

$policies = 'HKLM:\SOFTWARE\Policies\Microsoft'
$system = 'HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System'
$logon = 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Winlogon'

# --- Who may change what. Below C:\ every account may write, unless it is said otherwise.
$ours = @('/inheritance:r', '/grant:r', '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F', '*S-1-5-32-545:(OI)(CI)RX')
foreach ($folder in 'C:\ale\run', 'C:\ale\root', 'C:\run') { New-Item -ItemType Directory -Force $folder | Out-Null }
icacls C:\ale @ours | Out-Null
icacls C:\run @ours | Out-Null

# --- Paths of the layout, for programs that are given them as arguments.
cmd /c mklink /J C:\home C:\Users
cmd /c mklink /J C:\run\ale C:\ale\run
icacls C:\home /L @ours | Out-Null
# Not Windows' own folder for it, in which ordinary users may write but not look.
New-Item -ItemType Directory -Force C:\tmp | Out-Null
icacls C:\tmp /inheritance:r /grant:r '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' '*S-1-5-32-545:(OI)(CI)M' | Out-Null
Set-Value 'HKLM:\SYSTEM\CurrentControlSet\Control\FileSystem' LongPathsEnabled 1

# --- The account: no member of the administrators, its password for ever, logged on at every start.
# The installer may make it only when this has ended: then the first logon, which is its own, does the rest.
$account = 'Set-LocalUser agent -PasswordNeverExpires $true -UserMayChangePassword $false'
if (Get-LocalUser agent -ErrorAction SilentlyContinue) { Invoke-Expression $account }
else {
  $later = "$account; Unregister-ScheduledTask ale-account -Confirm:`$false"
  Register-ScheduledTask ale-account -Force -Trigger (New-ScheduledTaskTrigger -AtLogOn) `
    -Action (New-ScheduledTaskAction -Execute powershell -Argument "-NoProfile -Command `"$later`"") `
    -Principal (New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest) | Out-Null
}
# By its number: its name is in the language of the installation.
Get-LocalUser | Where-Object { $_.SID.Value -like 'S-1-5-21-*-500' } | Disable-LocalUser
net accounts /maxpwage:unlimited | Out-Null
Set-Value $logon AutoAdminLogon '1' String
Remove-ItemProperty $logon AutoLogonCount -ErrorAction SilentlyContinue
Set-Value 'HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion\PasswordLess\Device' DevicePasswordLessBuildVersion 0
# Who asks for more rights is told no, without a desktop of its own to ask on.
Set-Value $system ConsentPromptBehaviorUser 0
Set-Value $system PromptOnSecureDesktop 0

# --- Nothing locks, sleeps, or greets.
Set-Value $system DisableCAD 1
Set-Value $system InactivityTimeoutSecs 0
Set-Value $system EnableFirstLogonAnimation 0
Set-Value "$policies\Windows\Personalization" NoLockScreen 1
Set-Value "$policies\Windows\OOBE" DisablePrivacyExperience 1
Set-Value "$policies\Windows\CloudContent" DisableWindowsConsumerFeatures 1
Set-Value "$policies\Windows\Explorer" DisableNotificationCenter 1
Set-Value "$policies\Windows\OneDrive" DisableFileSyncNGSC 1
Set-Value "$policies\Windows\DataCollection" AllowTelemetry 0
Set-Value "$policies\Edge" HideFirstRunExperience 1
Set-Value 'HKLM:\SOFTWARE\Microsoft\ServerManager' DoNotOpenServerManagerAtLogon 1
Set-Value 'HKLM:\SOFTWARE\Microsoft\Windows\Windows Error Reporting' DontShowUI 1
New-Item -Force 'HKLM:\SYSTEM\CurrentControlSet\Control\Network\NewNetworkWindowOff' | Out-Null
powercfg /change monitor-timeout-ac 0
powercfg /change standby-timeout-ac 0
powercfg /hibernate off
# The power button shuts down.
powercfg /setacvalueindex SCHEME_CURRENT SUB_BUTTONS PBUTTONACTION 3
powercfg /setactive SCHEME_CURRENT

# --- Nothing updates, indexes, scans or sets the clock: that is the host's.
Set-Value "$policies\Windows\WindowsUpdate\AU" NoAutoUpdate 1
Set-Value "$policies\Windows Defender" DisableAntiSpyware 1
Set-Value "$policies\Windows Defender\Real-Time Protection" DisableRealtimeMonitoring 1
Set-Value 'HKLM:\SYSTEM\CurrentControlSet\Control\TimeZoneInformation' RealTimeIsUniversal 1
foreach ($service in 'wuauserv', 'UsoSvc', 'WaaSMedicSvc', 'WSearch', 'SysMain', 'DiagTrack', 'W32Time') {
  $key = "HKLM:\SYSTEM\CurrentControlSet\Services\$service"
  # Some refuse to be set by the service manager.
  if (Test-Path $key) { Set-Value $key Start 4 }
}

# --- What the agent may write is limited by a quota, which knows only what was written since it is kept.
fsutil quota enforce C: | Out-Null
Set-ExecutionPolicy RemoteSigned -Scope LocalMachine -Force -ErrorAction SilentlyContinue
[Environment]::SetEnvironmentVariable('PYTHONUTF8', '1', 'Machine')

# --- Our program, last: that it answers is how the builder knows that all else is done. A task's usual priority is low, for
# all that it starts as well, and its usual life three days.
$program = New-ScheduledTaskAction -Execute 'C:\ale\ale-serve.exe' -Argument '--device \\.\Global\ale.serve'
$account = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
$settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -Priority 4 -RestartCount 100 `
  -RestartInterval ([TimeSpan]::FromMinutes(1)) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
Register-ScheduledTask ale-serve -Force -Action $program -Principal $account -Settings $settings `
  -Trigger (New-ScheduledTaskTrigger -AtStartup) | Out-Null
Start-ScheduledTask ale-serve
